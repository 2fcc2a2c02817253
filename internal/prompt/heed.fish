# heed for fish: what a line would do, before Enter runs it. Written by `heed init fish`;
# docs/shells.md says what it does. Needs fish 3.4 or later.
if status is-interactive; and not set -q _heed_bin

set -g _heed_bin @HEED@
set -g _heed_badge ''
set -g _heed_told ''
set -g _heed_action ''
set -g _heed_token ''
set -g _heed_text ''
set -g _heed_waits ''
set -g _heed_line ''
set -g _heed_at 0
set -g _heed_short ''
# The names of requests, each in its turn: an answer to another one is none.
set -g _heed_nonces (random).1 (random).2 (random).3 (random).4 (random).5 (random).6 (random).7
set -g _heed_limit env
set -g _heed_dir ''
set -g _heed_begun 0
command -sq timeout; and set -g _heed_limit timeout 3
# A helper is asked where the system shows what it is doing: fish waits for a FIFO without
# an end, so that one that is gone or stopped is not asked at all.
if test -r /proc/$fish_pid/stat
    if set -q XDG_RUNTIME_DIR; and test -d "$XDG_RUNTIME_DIR"
        set -g _heed_dir $XDG_RUNTIME_DIR/heed/shell-$fish_pid
    else if set -q HOME; and test -n "$HOME"
        set -g _heed_dir $HOME/.local/state/heed/shell-$fish_pid
    end
end

# Starts the helper, which looks by itself whether this shell is still there. sh keeps it
# out of this shell's jobs and of $last_pid.
function _heed_start
    test -n "$_heed_dir"; and test -x $_heed_bin; or return 0
    set -l now (date +%s)
    test (math $now - $_heed_begun) -gt 5; or return 0
    set -g _heed_begun $now
    command sh -c '"$@" </dev/null >/dev/null 2>&1 &' sh $_heed_bin shell-helper --shell fish --dir $_heed_dir --for $fish_pid
end

# Whether a helper is there and neither stopped nor dead; _heed_pid is its process.
function _heed_lives
    set -g _heed_pid ''
    test -n "$_heed_dir"; and test -p $_heed_dir/in; and test -r $_heed_dir/pid; or return 1
    read -g _heed_pid <$_heed_dir/pid
    string match -qr '^[1-9][0-9]*$' -- "$_heed_pid"; and test -r /proc/$_heed_pid/stat; or return 1
    set -l stat
    read stat </proc/$_heed_pid/stat
    string match -qr '\) [RSD] ' -- "$stat"
end

# A request: the line, and what it names of this shell.
function _heed_request
    printf '%s\0' \x01heed1 $_heed_nonces[1] $argv[1] $argv[2] "$PWD" '' "$argv[3]"
    for name in PATH HOME GIT_DIR GIT_WORK_TREE KUBECONFIG AWS_PROFILE DOCKER_HOST DOCKER_CONTEXT (string match -rag '\$([A-Za-z_][A-Za-z0-9_]*)' -- "$argv[3]")
        if not set -q $name
            printf 'u:%s\0' $name
        else if test $name = PATH
            printf 'v:PATH=%s\0' "$PATH"
        else if set -q $name"[1]"; and not set -q $name"[2]"
            printf 'v:%s=%s\0' $name $$name
        else
            printf 'o:%s\0' $name
        end
    end
    for word in (string match -ra '[A-Za-z0-9_.:+-]+' -- "$argv[3]")
        # fish's own functions are left out: what programs of their names do is known.
        if functions -q -- $word; and not string match -q -- "$__fish_data_dir/*" (functions -D -- $word)
            printf 's:function:%s\0' $word
        end
    end
    printf '.\0'
end

# Takes an answer apart; fails if it is another request's. Nothing here starts a process or
# waits for another part of fish: a badge is there within milliseconds.
function _heed_take
    set -l nonce ''
    string match -qr '^(?<nonce>[^ \n]+) (?<_heed_action>[a-z]+) (?<_heed_token>[^ \n]+)\n(?<_heed_text>[\s\S]*)$' -- "$argv[1]"; and test "$nonce" = $_heed_nonces[1]
end

# Asks, and sets _heed_action, _heed_token and _heed_text: verb, token, line.
function _heed_ask
    set -g _heed_nonces $_heed_nonces[2..-1] $_heed_nonces[1]
    set -l reply ''
    if _heed_lives
        _heed_request $argv >$_heed_dir/in
        for try in 1 2 3
            read -z reply <$_heed_dir/out; or break
            _heed_take "$reply"; and return 0
        end
    end
    if test -n "$_heed_pid"
        # It says nothing, or is what is left of one: nobody asks it again.
        command kill -9 $_heed_pid 2>/dev/null
        command rm -f $_heed_dir/pid
    end
    _heed_start
    # Until it is there, one process answers one line, within a limit of its own.
    _heed_request $argv | $_heed_limit $_heed_bin shell-helper --shell fish --once --for $fish_pid 2>/dev/null | read -z reply
    _heed_take "$reply"; and return 0
    set -g _heed_action ''
    set -g _heed_token ''
    set -g _heed_text ''
    return 1
end

function _heed_coloured
    if set -q NO_COLOR; and test -n "$NO_COLOR"; or test "$TERM" = dumb
        printf '%s\n' $argv[1]
        return
    end
    switch $argv[1]
        case '[[]CAUTION]*' '\[CAUTION\]*'
            printf '\e[33m[CAUTION]\e[0m%s\n' (string sub -s 10 -- $argv[1] | string collect)
        case '[[]REVIEW]*' '\[REVIEW\]*'
            printf '\e[1;31m[REVIEW]\e[0m%s\n' (string sub -s 9 -- $argv[1] | string collect)
        case '*'
            printf '%s\n' $argv[1]
    end
end

# Shows a text below the line, which stays as it is. fish draws the prompt anew as many
# rows up as the line and the prompt have above the cursor.
function _heed_under
    printf '\n'
    _heed_coloured $argv[1]
    set -l above (string sub -l (commandline -C) -- (commandline -b | string collect -N) | string collect -N)
    set -l rows (math (string split \n -- "$above" | count) - 1 + (fish_prompt | count) - 1)
    for row in (seq $rows)
        printf '\n'
    end
    commandline -f repaint
end

function _heed_key
    for mode in default insert
        if test $argv[1] = on
            bind -M $mode \cxo _heed_yes
        else
            bind -e -M $mode \cxo
        end
    end
end

function _heed_wait
    set -g _heed_waits $argv[1]
    if test "$argv[1]" = wait
        _heed_key on
    else
        _heed_key off
    end 2>/dev/null
end

# In the place of Enter.
function _heed_enter
    set -l line (commandline -b | string collect)
    set -g _heed_badge ''
    # Lists of completions, searches, and lines that are not whole are fish's.
    if commandline -P; or not string match -qr '\S' -- "$line"
        commandline -f execute
        return
    end
    commandline --is-valid
    if test $status -ne 0
        commandline -f execute
        return
    end
    # fish makes an abbreviation longer when it takes the line: that is done, and seen,
    # before. Where it is none there, the next Enter goes on.
    if abbr -q -- (commandline -t) 2>/dev/null; and test "$_heed_short" != "$line"
        set -g _heed_short $line
        commandline -f expand-abbr
        return
    end
    set -g _heed_short ''
    if test "$_heed_waits" = again; and test "$_heed_line" = "$line"; and test (math (date +%s%3N) - $_heed_at) -gt 300
        _heed_wait ''
        commandline -f execute
        return
    end
    _heed_wait ''
    if not test -x $_heed_bin
        if test -z "$_heed_told"
            set -g _heed_badge "heed: $_heed_bin is gone: lines run and are not judged"
            set -g _heed_told 1
        end
        commandline -f execute
        return
    end
    if not _heed_ask judge - "$line"
        set -g _heed_action again
        set -g _heed_text '[CAUTION] heed did not answer: what this line does is not judged.'\n'  Enter once more runs it.'
    end
    switch $_heed_action
        case run more
            set -g _heed_badge "$_heed_text"
            commandline -f execute
            return
        case no
            _heed_wait ''
        case '*'
            _heed_wait $_heed_action
    end
    set -g _heed_line $line
    test "$_heed_waits" = again; and set -g _heed_at (date +%s%3N)
    _heed_under $_heed_text
end

# The second key of a line that waits.
function _heed_yes
    set -l line (commandline -b | string collect)
    if test "$_heed_waits" != wait; or test "$_heed_line" != "$line"
        _heed_under 'heed: nothing waits for this key'
        return
    end
    if not _heed_ask yes "$_heed_token" "$line"
        _heed_wait ''
        _heed_under 'heed did not answer: press Enter again'
        return
    end
    if test "$_heed_action" = run
        _heed_wait ''
        set -g _heed_badge ''
        commandline -f execute
        return
    end
    _heed_wait $_heed_action
    _heed_under $_heed_text
end

# Below the line that runs, above what it prints.
function _heed_show --on-event fish_preexec
    if test -n "$_heed_badge"
        _heed_coloured $_heed_badge >&2
    end
    set -g _heed_badge ''
end

# fish_vi_key_bindings and its like take all bindings away: heed's are made anew.
function _heed_bind --on-variable fish_key_bindings
    for mode in default insert
        bind -M $mode \r _heed_enter
        bind -M $mode \n _heed_enter
    end
end
_heed_bind
_heed_start

end
