# heed for bash: what a line would do, before Enter runs it. Written by `heed init bash`;
# docs/shells.md says what it does. From bash 5 on lines are judged while they are edited;
# where nothing is edited, or bash is older, each command is asked about as it comes.
if [[ $- == *i* && -z ${_heed_bin-} ]]; then

_heed_bin=@HEED@ _heed_dir='' _heed_told='' _heed_before='' _heed_waits='' _heed_line='' _heed_badge='' _heed_shown=0
_heed_action='' _heed_token='' _heed_text='' _heed_pid='' _heed_at=0 _heed_begun=-9 _heed_accepts='' _heed_last='' _heed_reads=1 _heed_expands=''
if [[ -n ${XDG_RUNTIME_DIR-} && -d ${XDG_RUNTIME_DIR-} ]]; then
  _heed_dir=$XDG_RUNTIME_DIR/heed/shell-$$
elif [[ -n ${HOME-} ]]; then
  _heed_dir=$HOME/.local/state/heed/shell-$$
fi

# Starts the helper, which looks by itself whether this shell is still there. The subshell
# keeps it out of this shell's jobs and of $!.
_heed_start() {
  [[ -n $_heed_dir && -x $_heed_bin ]] || return 0
  ((SECONDS - _heed_begun > 5)) || return 0
  _heed_begun=$SECONDS
  ("$_heed_bin" shell-helper --shell bash --dir "$_heed_dir" --for $$ </dev/null >/dev/null 2>&1 &)
}

# Whether a helper is there; _heed_pid is its process.
_heed_lives() {
  _heed_pid=''
  { IFS= read -r _heed_pid <"$_heed_dir/pid"; } 2>/dev/null
  [[ $_heed_pid == [1-9]* && $_heed_pid != *[!0-9]* ]] && kill -0 "$_heed_pid" 2>/dev/null
}

# A request: the line, and what it names of this shell. It fits into a FIFO. Its own
# variables begin with _h_, so that they hide none of the line's.
_heed_request() {
  local -
  set -f +u
  local IFS=$' \t\n' LC_ALL=C _h_name _h_rest=$4$5 _h_room=24000 _h_n=0 _h_i _h_word _h_body
  local -A _h_seen=()
  local -a _h_words=()
  printf '%s\0' $'\001heed1' "$1" "$2" "$3" "$PWD" "$4" "$5"
  while ((_h_n++ < 32)) && [[ $_h_rest =~ \$\{?[^A-Za-z_}]?[^A-Za-z_}]?([A-Za-z_][A-Za-z0-9_]*)(.*) ]]; do
    _h_seen[${BASH_REMATCH[1]}]=1
    _h_rest=${BASH_REMATCH[2]}
  done
  for _h_name in PATH HOME OLDPWD CDPATH GIT_DIR GIT_WORK_TREE KUBECONFIG AWS_PROFILE DOCKER_HOST DOCKER_CONTEXT "${!_h_seen[@]}"; do
    if [[ ${!_h_name@a} == *[aAn]* || $_h_name == IFS || $_h_name == LC_ALL ]]; then
      printf 'o:%s\0' "$_h_name"
    elif [[ -z ${!_h_name+x} ]]; then
      printf 'u:%s\0' "$_h_name"
    else
      _h_body=${!_h_name}
      if (((_h_room -= ${#_h_name} + ${#_h_body}) > 0)); then
        printf 'v:%s=%s\0' "$_h_name" "$_h_body"
      else
        printf 'o:%s\0' "$_h_name"
      fi
    fi
  done
  _h_rest=$4$5
  _h_words=(${_h_rest//[^A-Za-z0-9_.:+-]/ })
  _h_seen=()
  for ((_h_i = 0; _h_i < ${#_h_words[@]} && _h_i < 64; _h_i++)); do
    _h_word=${_h_words[_h_i]}
    [[ -z ${_h_seen[$_h_word]-} ]] || continue
    _h_seen[$_h_word]=1
    _h_body=${BASH_ALIASES[$_h_word]-}
    if [[ -n $_h_body ]]; then
      (((_h_room -= ${#_h_body}) > 0)) || continue
      printf 'a:%s=%s\0' "$_h_word" "$_h_body"
      _h_words+=(${_h_body//[^A-Za-z0-9_.:+-]/ })
    elif declare -F -- "$_h_word" >/dev/null; then
      _h_body=$(declare -f -- "$_h_word")
      (((_h_room -= ${#_h_body}) > 0)) || continue
      printf 'f:%s\n%s\0' "$_h_word" "$_h_body"
    fi
  done
  shopt -q interactive_comments || printf 's:nocomments\0'
  printf '.\0'
}

# Takes an answer apart; fails if it is another request's.
_heed_take() {
  local _h_head=${2%%$'\n'*}
  [[ $_h_head == "$1 "* ]] || return 1
  _h_head=${_h_head#* }
  _heed_action=${_h_head%% *} _heed_token=${_h_head#* } _heed_text=${2#*$'\n'}
}

# Asks, and sets _heed_action, _heed_token and _heed_text: verb, token, lines before, line.
_heed_ask() {
  local _h_nonce=$RANDOM.$RANDOM.$RANDOM _h_reply='' _h_try
  _heed_action='' _heed_token='' _heed_text=''
  if [[ -p $_heed_dir/in ]] && ((${#3} + ${#4} < 6000)) && _heed_lives; then
    _heed_request "$_h_nonce" "$@" 1<>"$_heed_dir/in"
    for _h_try in 1 2 3 4; do
      IFS= read -r -t 0.5 -d '' _h_reply 0<>"$_heed_dir/out" || break
      _heed_take "$_h_nonce" "$_h_reply" && return 0
    done
    # It is there and says nothing, or is what is left of one: nobody waits for it again, and
    # the next helper ends it.
    { : >|"$_heed_dir/pid"; } 2>/dev/null
  fi
  _heed_start
  # Until it is there, one process answers one line, within a limit of its own.
  IFS= read -r -t 3 -d '' _h_reply < <(_heed_request "$_h_nonce" "$@" | "$_heed_bin" shell-helper --shell bash --once --for $$ 2>/dev/null)
  _heed_take "$_h_nonce" "$_h_reply"
}

# What was typed or pasted before a badge could be read is no answer to it.
_heed_drop() {
  local _h_key
  while IFS= read -r -s -t 0.03 -n 1000 -d '' _h_key || [[ -n $_h_key ]]; do :; done
}

_heed_coloured() {
  _heed_badge=$1
  if [[ -z ${NO_COLOR-} && ${TERM-} != dumb ]]; then
    case $1 in
      '[CAUTION]'*) _heed_badge=$'\e[33m[CAUTION]\e[0m'${1#'[CAUTION]'} ;;
      '[REVIEW]'*) _heed_badge=$'\e[1;31m[REVIEW]\e[0m'${1#'[REVIEW]'} ;;
    esac
  fi
}

# Shows the line as it stands, and a text below it; bash then draws the prompt anew.
_heed_under() {
  local _h_prompt=${PS1@P}
  [[ -z $_heed_before ]] || _h_prompt=${PS2@P}
  _h_prompt=${_h_prompt##*$'\n'}
  _heed_coloured "$1"
  printf '%s%s\n%s\n' "${_h_prompt//[$'\001\002']/}" "$READLINE_LINE" "$_heed_badge" >&2
  _heed_badge=''
}

# What the last key of the macro that Enter is does: it accepts the line, or nothing.
_heed_then() {
  [[ $1 != "$_heed_accepts" ]] || return 0
  _heed_accepts=$1
  local _h_map
  for _h_map in emacs vi-insert vi-command; do
    bind -m "$_h_map" "\"\\C-x\\C-]a\": $1"
    bind -m "$_h_map" "\"\\C-x\\C-]o\": ${1/accept-line/operate-and-get-next}"
  done
}

# Judges the line that is being edited.
_heed_judge() {
  local _h_now=${EPOCHREALTIME/[.,]/} _h_line
  _heed_badge='' _heed_shown=0
  if ((!_heed_reads)) && [[ " ${PROMPT_COMMAND[*]} " == *_heed_prompt* ]]; then
    _heed_then accept-line # a command is reading, not the shell
    return 0
  fi
  [[ " ${PROMPT_COMMAND[*]} " == *_heed_prompt* ]] || _heed_hooks
  _h_line=$READLINE_LINE
  if [[ $_heed_before$_h_line != *[![:space:]]* ]] ||
    { [[ $_heed_waits == again && $_heed_line == "$_heed_before$_h_line" ]] && ((_h_now - _heed_at > 300000)); }; then
    _heed_waits='' _heed_before+=$_h_line$'\n'
    _heed_then accept-line
    return 0
  fi
  _heed_waits='' _heed_line=''
  if [[ ! -x $_heed_bin ]]; then
    [[ -n $_heed_told ]] || _heed_badge="heed: $_heed_bin is gone: lines run and are not judged"
    _heed_told=1
    _heed_then accept-line
    return 0
  fi
  if ! _heed_ask judge - "$_heed_before" "$_h_line"; then
    _heed_action=again _heed_text='[CAUTION] heed did not answer: what this line does is not judged.'$'\n''  Enter once more runs it.'
  fi
  case $_heed_action in
    run | more)
      [[ -z $_heed_text ]] || _heed_coloured "$_heed_text"
      _heed_before+=$_h_line$'\n'
      _heed_then accept-line
      return 0
      ;;
  esac
  [[ $_heed_action == no ]] || _heed_waits=$_heed_action
  _heed_line=$_heed_before$_h_line _heed_at=${EPOCHREALTIME/[.,]/}
  _heed_then '""'
  _heed_under "$_heed_text"
  _heed_drop
}

# The second key of a line that waits.
_heed_yes() {
  _heed_then '""'
  if [[ $_heed_waits != wait || $_heed_line != "$_heed_before$READLINE_LINE" ]]; then
    _heed_under 'heed: nothing waits for this key'
  elif ! _heed_ask yes "$_heed_token" "$_heed_before" "$READLINE_LINE"; then
    _heed_waits=''
    _heed_under 'heed did not answer: press Enter again'
  elif [[ $_heed_action == run ]]; then
    _heed_waits='' _heed_badge='' _heed_before+=$READLINE_LINE$'\n'
    _heed_then accept-line
  else
    [[ $_heed_action == wait ]] || _heed_waits=''
    _heed_under "$_heed_text"
  fi
}

# Shows what a line that waits would change. heed preview asks by itself whether to make
# the changes; the line still waits then. readline has the terminal in its own mode.
_heed_look() {
  local _h_line=$_heed_before$READLINE_LINE _h_mode
  if [[ $_heed_waits != wait || $_heed_line != "$_h_line" || $_heed_text != *'Ctrl-X p '* ]]; then
    _heed_under 'heed: nothing waits for this key'
    return 0
  fi
  _h_mode=$(stty -g </dev/tty) && stty sane </dev/tty
  "$_heed_bin" preview -c "$_h_line" </dev/tty
  [[ -z $_h_mode ]] || stty "$_h_mode" </dev/tty
  _heed_drop
  _heed_under "$_heed_text"
}

# Before each prompt: bash reads a new line. Events of the history are put into it before
# it is judged, where bash would do so afterwards.
_heed_prompt() {
  _heed_before='' _heed_waits='' _heed_badge='' _heed_reads=1
  local _h_map _h_expands='""'
  [[ $- != *H* ]] || _h_expands=history-expand-line
  [[ $_h_expands != "$_heed_expands" ]] || return 0
  _heed_expands=$_h_expands
  for _h_map in emacs vi-insert vi-command; do
    bind -m "$_h_map" "\"\\C-x\\C-]h\": $_h_expands"
  done
}

# PS0 shows the badge below the line that runs, once, and notes that bash does not read.
_heed_hooks() {
  if [[ "$(declare -p PROMPT_COMMAND 2>/dev/null)" == 'declare -a'* ]]; then
    PROMPT_COMMAND+=(_heed_prompt)
  else
    PROMPT_COMMAND="${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}_heed_prompt"
  fi
  [[ ${PS0-} == *_heed_badge* ]] || PS0='${_heed_badge:+${_heed_badge:_heed_shown++*65536}${_heed_nl:_heed_shown-1}}${_heed_nl:1+(_heed_reads=0)}'"${PS0-}"
}
_heed_nl=$'\n'

# The same where no line is edited: each command is asked about before it runs. What a
# person types to confirm is a word, since no key can be told from what was pasted.
_heed_debug_request() {
  local _h_name _h_rest=$3 _h_n=0
  printf '%s\0' $'\001heed1' 0 "$1" "$2" "$PWD" '' "$3" "v:PATH=$PATH" "v:HOME=${HOME-}"
  while [[ $_h_n -lt 32 && $_h_rest =~ [$]\{?[^A-Za-z_}]?([A-Za-z_][A-Za-z0-9_]*)(.*) ]]; do
    _h_name=${BASH_REMATCH[1]} _h_rest=${BASH_REMATCH[2]} _h_n=$((_h_n + 1))
    if [[ $(declare -p "$_h_name" 2>/dev/null) == 'declare -'[aA]* ]]; then
      printf 'o:%s\0' "$_h_name"
    elif [[ -n ${!_h_name+x} ]]; then
      printf 'v:%s=%s\0' "$_h_name" "${!_h_name}"
    else
      printf 'u:%s\0' "$_h_name"
    fi
  done
  _h_name=${3%%[[:space:]]*}
  if declare -F -- "$_h_name" >/dev/null 2>&1; then
    printf 'f:%s\n%s\0' "$_h_name" "$(declare -f -- "$_h_name")"
  fi
  printf '.\0'
}

_heed_debug_ask() {
  local _h_reply=''
  IFS= read -r -t 3 -d '' _h_reply < <(_heed_debug_request "$1" "$2" "$3" | "$_heed_bin" shell-helper --shell bash --once --for $$ 2>/dev/null)
  _heed_take 0 "$_h_reply" && return 0
  _heed_action=again _heed_text='[CAUTION] heed did not answer: what this command does is not judged.'$'\n'
  return 1
}

_heed_debug() {
  local _h_word _h_typed=''
  [[ $_heed_reads == 0 && ${#FUNCNAME[@]} -le 1 && $1 != _heed_* && -x $_heed_bin ]] || return 0
  _heed_debug_ask judge - "$1"
  case $_heed_action in
    run | more)
      [[ -z $_heed_text ]] || { _heed_coloured "$_heed_text"; printf '%s\n' "$_heed_badge" >&2; }
      return 0
      ;;
    no)
      printf '%s\n' "$_heed_text" >&2
      return 1
      ;;
  esac
  # What was typed before it could be read is thrown away.
  while IFS= read -r -t 0 2>/dev/null; do IFS= read -r _h_typed; done </dev/tty
  _h_word=run-$((RANDOM % 900 + 100))
  printf '%s\n  Type %s to run it: ' "${_heed_text%$'\n'*}" "$_h_word" >&2
  IFS= read -r _h_typed </dev/tty || _h_typed=''
  [[ $_h_typed == "$_h_word" ]] || return 1
  [[ $_heed_action == wait ]] || return 0
  _heed_debug_ask yes "$_heed_token" "$1" && [[ $_heed_action == run ]] && return 0
  printf '  It is not run: that was too early to have read it, or it is another command now.\n' >&2
  return 1
}

_heed_begins() { _heed_reads=1; }
_heed_runs() { _heed_reads=0; }

_heed_fallback() {
  if [[ -n $(trap -p DEBUG) ]]; then
    printf 'heed: a DEBUG trap is set already, and bash edits no lines here: they are not judged\n' >&2
    return 0
  fi
  shopt -s extdebug
  # The prompt's own commands are not asked about. Where bash has PS0 it says when a line
  # was read; older ones have to ask about what draws the prompt, too.
  local _h_text=${PROMPT_COMMAND-}
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
    PS0='${_heed_nl:1+(_heed_reads=0)}'"${PS0-}"
    PROMPT_COMMAND="_heed_begins${_h_text:+$'\n'$_h_text}"
  else
    PROMPT_COMMAND="_heed_begins${_h_text:+$'\n'$_h_text}"$'\n_heed_runs'
  fi
  trap '_heed_debug "$BASH_COMMAND" "$_"' DEBUG # the second word stays $_
}

if ((BASH_VERSINFO[0] >= 5)) && [[ :$SHELLOPTS: == *:emacs:* || :$SHELLOPTS: == *:vi:* ]]; then
  for _heed_line in emacs vi-insert vi-command; do
    bind -m "$_heed_line" -x '"\C-x\C-]j": _heed_last=$_; _heed_judge || :; : "$_heed_last"'
    bind -m "$_heed_line" -x '"\C-x\C-]y": _heed_last=$_; _heed_yes || :; : "$_heed_last"'
    bind -m "$_heed_line" -x '"\C-xp": _heed_last=$_; _heed_look || :; : "$_heed_last"'
    bind -m "$_heed_line" '"\C-m": "\C-x\C-]h\C-x\C-]j\C-x\C-]a"'
    bind -m "$_heed_line" '"\C-j": "\C-x\C-]h\C-x\C-]j\C-x\C-]a"'
    bind -m "$_heed_line" '"\C-xo": "\C-x\C-]y\C-x\C-]a"'
  done
  bind -m emacs '"\C-o": "\C-x\C-]h\C-x\C-]j\C-x\C-]o"'
  _heed_line=''
  _heed_then accept-line
  _heed_hooks
  _heed_prompt
  _heed_start
else
  _heed_fallback
fi

fi
