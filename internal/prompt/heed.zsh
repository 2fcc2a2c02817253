# heed for zsh: what a line would do, before Enter runs it. Written by `heed init zsh`;
# docs/shells.md says what it does. Needs zsh 5.3 or later.
if [[ -o interactive && -o zle && -z ${_heed_bin-} ]]; then

zmodload zsh/parameter zsh/datetime zsh/regex
autoload -Uz add-zsh-hook
typeset -g _heed_bin=@HEED@ _heed_dir= _heed_badge= _heed_told= _heed_comments=
typeset -g _heed_action= _heed_token= _heed_text= _heed_waits= _heed_line=
typeset -gF _heed_at=0 _heed_begun=0
if [[ -n ${XDG_RUNTIME_DIR-} && -d ${XDG_RUNTIME_DIR-} ]]; then
  _heed_dir=$XDG_RUNTIME_DIR/heed/shell-$$
elif [[ -n ${HOME-} ]]; then
  _heed_dir=$HOME/.local/state/heed/shell-$$
fi

# Starts the helper, which looks by itself whether this shell is still there.
_heed-start() {
  emulate -L zsh
  [[ -n $_heed_dir && -x $_heed_bin ]] || return 0
  (( EPOCHREALTIME - _heed_begun > 5 )) || return 0
  _heed_begun=$EPOCHREALTIME
  ( setopt no_monitor; "$_heed_bin" shell-helper --shell zsh --dir "$_heed_dir" --for $$ </dev/null >/dev/null 2>&1 & )
}

# A request: the line, and what it names of this shell. It fits into a FIFO.
_heed-request() {
  emulate -L zsh
  local rest="$4$5" name word
  local -A seen
  local -a words
  local -i room=24000
  print -rN -- $'\x01heed1' "$1" "$2" "$3" "$PWD" "$4" "$5"
  words=(${(z)rest})
  while (( $#seen < 32 )) && [[ $rest -regex-match '\$\{?[^A-Za-z_}]{0,3}([A-Za-z_][A-Za-z0-9_]*)' ]]; do
    seen[$match[1]]=1
    rest=${rest[MEND+1,-1]}
  done
  for name in PATH HOME OLDPWD CDPATH GIT_DIR GIT_WORK_TREE KUBECONFIG AWS_PROFILE DOCKER_HOST DOCKER_CONTEXT ${(k)seen}; do
    case ${(tP)name} in
      '') print -rN -- "u:$name" ;;
      *array*|*association*|*hide*) print -rN -- "o:$name" ;;
      *)
        if (( (room -= $#name + ${#${(P)name}}) > 0 )); then
          print -rN -- "v:$name=${(P)name}"
        else
          print -rN -- "o:$name"
        fi ;;
    esac
  done
  seen=()
  while (( $#words && $#seen < 64 )); do
    word=$words[1]
    shift words
    [[ -n $word && -z ${seen[(e)$word]-} ]] || continue
    seen[$word]=1
    if (( ${+galiases[(e)$word]} && (room -= ${#galiases[(e)$word]}) > 0 )); then
      print -rN -- "g:$word=${galiases[(e)$word]}"
      words+=(${(z)galiases[(e)$word]})
    elif (( ${+aliases[(e)$word]} && (room -= ${#aliases[(e)$word]}) > 0 )); then
      print -rN -- "a:$word=${aliases[(e)$word]}"
      words+=(${(z)aliases[(e)$word]})
    elif (( ${+functions[(e)$word]} && (room -= ${#functions[(e)$word]}) > 0 )); then
      print -rN -- "f:$word"$'\n'"$word () {"$'\n'"${functions[(e)$word]}"$'\n}'
    fi
  done
  [[ -n $_heed_comments ]] || print -rN -- s:nocomments
  print -rN -- .
}

# Takes an answer apart; fails if it is another request's.
_heed-take() {
  emulate -L zsh
  local head=${2%%$'\n'*}
  local -a part
  part=(${(s: :)head})
  [[ $#part -eq 3 && $part[1] == $1 ]] || return 1
  _heed_action=$part[2] _heed_token=$part[3] _heed_text=${2#*$'\n'}
}

# Asks, and sets _heed_action, _heed_token and _heed_text: verb, token, lines before, line.
_heed-ask() {
  emulate -L zsh
  local nonce=$RANDOM.$RANDOM.$RANDOM reply=
  _heed_action= _heed_token= _heed_text=
  [[ $3$4 != *$'\0'* ]] || return 1
  if [[ -p $_heed_dir/in && $(( ${#3} + ${#4} )) -lt 6000 ]] && _heed-lives; then
    _heed-request "$nonce" "$@" 1<>"$_heed_dir/in"
    local -i tries
    for (( tries = 0; tries < 4; tries++ )); do
      IFS= read -r -t 0.5 -d $'\0' reply 0<>"$_heed_dir/out" || break
      _heed-take "$nonce" "$reply" && return 0
    done
    # It is there and says nothing, or is what is left of one: nobody waits for it again, and
    # the next helper ends it.
    { : >|"$_heed_dir/pid" } 2>/dev/null
  fi
  _heed-start
  # Until it is there, one process answers one line, within a limit of its own.
  local -i from
  exec {from}< <(_heed-request "$nonce" "$@" | "$_heed_bin" shell-helper --shell zsh --once --for $$ 2>/dev/null)
  IFS= read -r -t 3 -d $'\0' -u $from reply
  exec {from}<&-
  _heed-take "$nonce" "$reply"
}

_heed-lives() {
  emulate -L zsh
  typeset -g _heed_pid=
  { IFS= read -r _heed_pid <"$_heed_dir/pid" } 2>/dev/null
  [[ $_heed_pid == <-> ]] && kill -0 "$_heed_pid" 2>/dev/null
}

# What was typed or pasted before a badge could be read is no answer to it.
_heed-drop() {
  emulate -L zsh
  local k
  while (( PENDING || KEYS_QUEUED_COUNT )) || read -t 0.03 -k 1 -s k; do
    (( PENDING || KEYS_QUEUED_COUNT )) && read -t 0.03 -k 1 -s k
  done
}

# Judges the line that is being edited. Succeeds if it runs now.
_heed-judge() {
  emulate -L zsh
  local before=$PREBUFFER line=$BUFFER
  _heed_badge=
  [[ -n ${before//[[:space:]]/}${line//[[:space:]]/} ]] || return 0
  if [[ $_heed_waits == again && $_heed_line == $before$line ]] && (( EPOCHREALTIME - _heed_at > 0.3 )); then
    _heed_waits=
    return 0
  fi
  _heed_waits= _heed_line=
  if [[ ! -x $_heed_bin ]]; then
    [[ -n $_heed_told ]] || _heed_badge="heed: $_heed_bin is gone: lines run and are not judged"
    _heed_told=1
    return 0
  fi
  if ! _heed-ask judge - "$before" "$line"; then
    _heed_action=again _heed_text='[CAUTION] heed did not answer: what this line does is not judged.'$'\n''  Enter once more runs it.'
  fi
  case $_heed_action in
    run|more) _heed_badge=$_heed_text; return 0 ;;
  esac
  [[ $_heed_action == no ]] || _heed_waits=$_heed_action
  _heed_line=$before$line _heed_at=$EPOCHREALTIME
  zle -R
  zle -M -- "$_heed_text"
  zle -R
  _heed-drop
  return 1
}

# In the place of the widgets that accept a line.
_heed-accept() {
  local widget="_heed-orig-$WIDGET"
  _heed_comments=
  if [[ -o interactivecomments ]]; then _heed_comments=1; fi
  case ${CONTEXT-} in
    start|cont)
      if [[ -o banghist && $BUFFER == *[\!^]* ]]; then zle .expand-history; fi
      _heed-judge || return 0 ;;
  esac
  zle "$widget"
}

# The second key of a line that waits.
_heed-yes() {
  emulate -L zsh
  [[ $_heed_waits == wait && $_heed_line == $PREBUFFER$BUFFER ]] || { zle -M 'heed: nothing waits for this key'; return 0 }
  if ! _heed-ask yes "$_heed_token" "$PREBUFFER" "$BUFFER"; then
    _heed_waits=
    zle -M 'heed did not answer: press Enter again'
    return 0
  fi
  if [[ $_heed_action == run ]]; then
    _heed_waits= _heed_badge=
    zle _heed-orig-accept-line
    return 0
  fi
  [[ $_heed_action == wait ]] || _heed_waits=
  _heed_at=$EPOCHREALTIME
  zle -M -- "$_heed_text"
}

# Shows what a line that waits would change. heed preview asks by itself whether to make
# the changes; the line still waits then.
_heed-look() {
  emulate -L zsh
  local mode=
  [[ $_heed_waits == wait && $_heed_line == $PREBUFFER$BUFFER && $_heed_text == *'Ctrl-X p '* ]] || { zle -M 'heed: nothing waits for this key'; return 0 }
  zle -I
  mode=$(stty -g </dev/tty) && stty sane </dev/tty
  "$_heed_bin" preview --shell zsh -c "$PREBUFFER$BUFFER" </dev/tty
  [[ -z $mode ]] || stty "$mode" </dev/tty
  zle -R
  zle -M -- "$_heed_text"
  zle -R
  _heed-drop
}

# Below the line that runs, above what it prints.
_heed-show() {
  emulate -L zsh
  [[ -n $_heed_badge ]] || return 0
  local text=$_heed_badge colour=
  _heed_badge= _heed_waits=
  if [[ -z ${NO_COLOR-} && ${TERM-} != dumb ]]; then
    case $text in
      '[CAUTION]'*) colour=$'\e[33m' ;;
      '[REVIEW]'*) colour=$'\e[1;31m' ;;
    esac
    [[ -z $colour ]] || text="$colour${text%%]*}]"$'\e[0m'"${text#*]}"
  fi
  print -ru2 -- "$text"
}

for _heed_line in accept-line accept-and-hold accept-and-infer-next-history accept-line-and-down-history; do
  zle -A "$_heed_line" "_heed-orig-$_heed_line"
  zle -N "$_heed_line" _heed-accept
done
zle -N _heed-yes
zle -N _heed-look
for _heed_line in emacs viins vicmd; do
  bindkey -M "$_heed_line" '^Xo' _heed-yes
  bindkey -M "$_heed_line" '^Xp' _heed-look
done
_heed_line=
add-zsh-hook preexec _heed-show
_heed-start

fi
