# heed for nushell: what a line would do is shown when it starts; nothing waits. Written by
# `heed init nu`; docs/shells.md says what it does.
$env.config.hooks.pre_execution = ($env.config.hooks.pre_execution? | default [] | append {||
    let line = (commandline)
    let heed = @HEED@
    if ($line | str trim | is-not-empty) and ($heed | path exists) {
        let reply = ([(char --integer 1) "heed1" (char --integer 0) "0" (char --integer 0) "judge" (char --integer 0) "-" (char --integer 0) $env.PWD (char --integer 0) (char --integer 0) $line (char --integer 0) "." (char --integer 0)]
            | str join | ^$heed shell-helper --shell nu --once | complete | get stdout)
        let badge = ($reply | lines | skip 1 | str join (char newline) | str replace --all (char --integer 0) "")
        if ($badge | is-not-empty) { print --stderr $badge }
    }
})
