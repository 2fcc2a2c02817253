# heed: the second net behind an agent's hook. Written by `heed init bash-env`; bash reads
# it before a command line or a script where BASH_ENV names it (docs/shells.md).
# What runs here was asked about as a whole: what it starts is not asked about again.
unset BASH_ENV
if [[ -n ${BASH_EXECUTION_STRING+x} ]]; then
  @HEED_SH@ --net --judge --real "$BASH" -c "$BASH_EXECUTION_STRING" || exit 126
elif [[ $- != *[is]* && -f $0 ]]; then
  @HEED_SH@ --net --judge --real "$BASH" -- "$0" "$@" || exit 126
fi
