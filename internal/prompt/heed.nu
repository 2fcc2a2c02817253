# heed for nushell: what a line would do is shown when it starts; nothing waits. Written by
# `heed init nu`; docs/shells.md says what it does. Needs nushell 0.101 or later.
$env.config.hooks.pre_execution = ($env.config.hooks.pre_execution? | default [] | append {||
    let line = (commandline)
    let heed = @HEED@
    if ($line | str trim | is-not-empty) and ($heed | path exists) {
        let zero = (char --integer 0)
        # Commands and aliases of a person's own: heed does not read what they do.
        let words = ($line | split row --regex '[^A-Za-z0-9_.:+-]+' | where $it != "" | uniq | first 64)
        let own = if ($words | is-empty) { [] } else {
            which ($words | first) ...($words | skip 1) | where type in [custom alias] | each {|it| "s:function:" + $it.command }
        }
        let ask = ["shell-helper" "--shell" "nu" "--once" "--for" $"($nu.pid)"]
        let request = ([((char --integer 1) + "heed1") "0" "judge" "-" $env.PWD "" $line] ++ $own ++ ["."] | each {|it| $it + $zero } | str join)
        let answer = if (which timeout | is-empty) { $request | run-external $heed ...$ask | complete } else { $request | run-external "timeout" "3" $heed ...$ask | complete }
        let reply = $answer.stdout
        let badge = ($reply | lines | skip 1 | str join (char newline) | str replace --all $zero "")
        if not ($reply | str starts-with "0 ") {
            print --stderr "[CAUTION] heed did not answer: what this line does is not judged."
        } else if ($badge | is-not-empty) {
            print --stderr $badge
        }
    }
})
