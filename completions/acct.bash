# Completions of acct for bash, from version 3.2 on: acct itself says what may stand at the cursor.

_acct() {
  local acct=${1/#\~/$HOME} answer
  COMPREPLY=()
  while IFS= read -r answer; do
    case $answer in
    # The name of a file, which bash knows best.
    $'\t'*)
      compopt -o default 2>/dev/null || while IFS= read -r answer; do
        COMPREPLY+=("$answer")
      done < <(compgen -f -- "${2-}")
      ;;
    *)
      answer=${answer%%$'\t'*}
      [[ $answer == *[=:,] ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("$answer")
      ;;
    esac
  done < <("$acct" completion _answer bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" </dev/null 2>/dev/null)
}

complete -F _acct acct
