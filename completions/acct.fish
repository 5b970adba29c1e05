# Completions of acct for fish: acct itself says what may stand at the cursor.

function __acct_complete --description 'Prints what may stand at the cursor'
    set -l words (commandline -opc)
    set -l acct $words[1]
    set -e words[1]
    # The word at the cursor may have a quote that is not closed yet.
    set -l word (commandline -ct | string replace -r '^(--[^=]*=)?["\']' '$1' | string replace -a '\\' '')
    for answer in ($acct completion _answer fish -- $words "$word" </dev/null 2>/dev/null)
        if string match -q \t'*' -- $answer
            # The name of a file, after what stands before it.
            set -l before (string sub -s 2 -- $answer)
            set -l start (string sub -s (math 1 + (string length -- "$before")) -- "$word")
            string replace -r '^' -- "$before" (__fish_complete_path "$start")
        else
            echo $answer
        end
    end
end

complete -c acct -f -a '(__acct_complete)'
