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
# What becomes of the line when a key's function has ended. Ctrl-C ends one wherever it is,
# and fish goes on with what stands behind it in the binding: so this is set from the start.
set -g _heed_next ''
set -g _heed_drawing ''
set -g _heed_rows ''
set -g _heed_busy ''
# A request has one of these names in its turn, and the time: an answer to another one is none.
set -g _heed_nonces (random).1 (random).2 (random).3 (random).4 (random).5 (random).6 (random).7
set -g _heed_nonce ''
set -g _heed_parts
set -g _heed_pauses (string split ' ' -- (string repeat -n 200 '0 ')(string repeat -n 25 '0.02 ')0)
set -g _heed_limit env
set -g _heed_dir ''
set -g _heed_in ''
set -g _heed_out ''
set -g _heed_begun 0
# In the foreground, where Ctrl-C ends it: not every timeout can be there.
if command timeout --foreground 1 true 2>/dev/null
    set -g _heed_limit timeout --foreground 3
else if command -sq timeout
    set -g _heed_limit timeout 3
end
# fish waits for a FIFO without an end. So a helper is asked where the system shows what it
# is doing and lends its open files: a request goes into the FIFO that it has open, which is
# gone with it, and the answer is read from memory of its own, where reading never waits.
if test -r /proc/$fish_pid/stat; and test -r /proc/uptime
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

# Whether a helper is there, neither stopped nor dead, and not another process of its number.
function _heed_lives
    test -n "$_heed_dir"; and test -r $_heed_dir/pid; or return 1
    set -l pid
    set -l began
    read -L pid began _heed_in _heed_out <$_heed_dir/pid
    string match -qr '^[1-9][0-9]*$' -- "$pid"; and test -r /proc/$pid/stat; or return 1
    set -l stat
    read stat </proc/$pid/stat
    string match -qr '\) [RSD] (\S+ ){18}'"$began " -- "$stat"; and test -p "$_heed_in"; and test -r "$_heed_out"
end

# Makes a request, _heed_parts: the line, and what it names of this shell.
function _heed_request
    set -g _heed_parts \x01heed1 $_heed_nonce $argv[1] $argv[2] "$PWD" '' "$argv[3]"
    for name in PATH HOME GIT_DIR GIT_WORK_TREE KUBECONFIG AWS_PROFILE DOCKER_HOST DOCKER_CONTEXT (string match -rag '\$([A-Za-z_][A-Za-z0-9_]*)' -- "$argv[3]")
        if not set -q $name
            set -a _heed_parts "u:$name"
        else if test $name = PATH
            set -a _heed_parts "v:PATH=$PATH"
        else if set -q $name"[1]"; and not set -q $name"[2]"
            set -a _heed_parts "v:$name="$$name
        else
            set -a _heed_parts "o:$name"
        end
    end
    for word in (string match -ra '[A-Za-z0-9_.:+-]+' -- "$argv[3]")
        # fish's own functions are left out: what programs of their names do is known.
        if functions -q -- $word; and not string match -q -- "$__fish_data_dir/*" (functions -D -- $word)
            set -a _heed_parts "s:function:$word"
        end
    end
    set -a _heed_parts .
end

# Takes an answer apart; fails if it is another request's. Nothing here starts a process or
# waits for another part of fish: a badge is there within milliseconds.
function _heed_take
    string match -qr "^\Q$_heed_nonce\E "'(?<_heed_action>[a-z]+) (?<_heed_token>[^ \n]+)\n(?<_heed_text>[\s\S]*)$' -- "$argv[1]"
end

# Waits for a helper's answer by looking again, at first without a pause: for as long as an
# answer takes, and half a second more. fish has no reading with a limit.
function _heed_await
    set -l reply ''
    for pause in $_heed_pauses
        test $pause = 0; or command sleep $pause
        test -r $_heed_out; and read -z reply <$_heed_out; or return 1
        _heed_take "$reply"; and return 0
    end
    return 1
end

# Asks, and sets _heed_action, _heed_token and _heed_text: verb, token, line.
function _heed_ask
    set -l up ''
    set -g _heed_nonces $_heed_nonces[2..-1] $_heed_nonces[1]
    test -n "$_heed_dir"; and read up </proc/uptime
    string match -qr '^(?<up>[0-9.]*)' -- "$up"
    set -g _heed_nonce $_heed_nonces[1].$up
    _heed_request $argv
    # What the FIFO has no room for, one process answers.
    if string match -qr '^[\s\S]{0,16000}$' -- "$_heed_parts"
        if _heed_lives
            printf '%s\0' $_heed_parts >$_heed_in
            and _heed_await
            and return 0
        end
        # It says nothing, or is what is left of one: nobody asks it again, and the next
        # helper ends it.
        test -n "$_heed_dir"; and test -e $_heed_dir/pid; and command rm -f $_heed_dir/pid
    end
    _heed_start
    # Until it is there, one process answers one line, within a limit of its own.
    set -l reply ''
    printf '%s\0' $_heed_parts | $_heed_limit $_heed_bin shell-helper --shell fish --once --for $fish_pid 2>/dev/null | read -z reply
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
    set -l above (string sub -l (commandline -C) -- (commandline -b | string collect -N) | string collect -N)
    set -l rows (math (string split \n -- "$above" | count) - 1 + (fish_prompt | count) - 1)
    set -g _heed_rows (string repeat -n $rows -- \n | string collect -N)
    set -l text (_heed_coloured $argv[1] | string collect -N)
    set -g _heed_drawing 1
    printf '\n%s%s' "$text" "$_heed_rows"
    set -g _heed_next repaint
    set -g _heed_drawing ''
end

# Stands behind each of heed's functions in a binding, twice: whatever Ctrl-C has ended, the
# line is gone then, as it is where nobody judges it. A text that was begun below it stays.
function _heed_then
    test -n "$_heed_next"; or return 0
    if test "$_heed_next" = cancel-commandline
        _heed_wait ''
        set -g _heed_badge ''
        if test -n "$_heed_drawing"
            printf '\n%s' "$_heed_rows"
            commandline -r ''
            set -g _heed_drawing ''
            set -g _heed_next repaint
        end
    end
    commandline -f $_heed_next
    set -g _heed_next ''
end

# Ctrl-C can come when nothing of a function's is left to be ended, and while the prompt is
# drawn anew, where fish takes it for a key no more. On an empty line this does nothing.
function _heed_cut --on-signal INT
    test -n "$_heed_busy"; and commandline -f cancel-commandline
end

function _heed_key
    for mode in default insert
        if test $argv[1] = on
            bind -M $mode \cxo _heed_yes _heed_then _heed_then
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
    set -g _heed_busy 1
    set -g _heed_next cancel-commandline
    set -l line (commandline -b | string collect)
    set -g _heed_badge ''
    # Lists of completions, searches, and lines that are not whole are fish's.
    if commandline -P; or not string match -qr '\S' -- "$line"
        set -g _heed_next execute
        return
    end
    commandline --is-valid
    if test $status -ne 0
        set -g _heed_next execute
        return
    end
    # fish makes an abbreviation longer when it takes the line: that is done, and seen,
    # before. Where it is none there, the next Enter goes on.
    if abbr -q -- (commandline -t) 2>/dev/null; and test "$_heed_short" != "$line"
        set -g _heed_short $line
        set -g _heed_next expand-abbr
        return
    end
    set -g _heed_short ''
    if test "$_heed_waits" = again; and test "$_heed_line" = "$line"; and test (math (date +%s%3N) - $_heed_at) -gt 300
        _heed_wait ''
        set -g _heed_next execute
        return
    end
    _heed_wait ''
    if not test -x $_heed_bin
        if test -z "$_heed_told"
            set -g _heed_badge "heed: $_heed_bin is gone: lines run and are not judged"
            set -g _heed_told 1
        end
        set -g _heed_next execute
        return
    end
    if not _heed_ask judge - "$line"
        set -g _heed_action again
        set -g _heed_text '[CAUTION] heed did not answer: what this line does is not judged.'\n'  Enter once more runs it.'
    end
    switch $_heed_action
        case run more
            set -g _heed_badge "$_heed_text"
            set -g _heed_next execute
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
    set -g _heed_busy 1
    set -g _heed_next cancel-commandline
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
        set -g _heed_next execute
        return
    end
    _heed_wait $_heed_action
    _heed_under $_heed_text
end

# Below the line that runs, above what it prints.
function _heed_show --on-event fish_preexec
    set -g _heed_busy ''
    if test -n "$_heed_badge"
        _heed_coloured $_heed_badge >&2
    end
    set -g _heed_badge ''
end

# fish_vi_key_bindings and its like take all bindings away: heed's are made anew.
function _heed_bind --on-variable fish_key_bindings
    for mode in default insert
        bind -M $mode \r _heed_enter _heed_then _heed_then
        bind -M $mode \n _heed_enter _heed_then _heed_then
    end
end
_heed_bind
_heed_start

end
