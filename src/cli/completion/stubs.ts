import type { Arguments } from "../arguments/arguments.ts";
import { EXIT, printText } from "../print/output.ts";

/*
 * The completion scripts of the shells. Each only asks `pi-grove __complete -- WORD…` (`complete.ts`) with the words up to the
 * cursor and hands the answer to its shell, so an installed script stays valid when options and commands change.
 */

/** For bash 3.2 (macOS) and newer, without the package bash-completion. */
const BASH = `# Completions of pi-grove for bash: source <(pi-grove completions bash)

_pi_grove() {
  local rest=\${COMP_LINE:0:COMP_POINT} at=-1 i part directive line
  local -a words=() found=()
  # Bash also splits words at "=" and ":"; parts with no blank before them belong to the word before.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if ((i < 2)) || [[ $rest == [[:blank:]]* ]]; then words[++at]=; fi
    rest=\${rest#"\${rest%%[![:blank:]]*}"} part=\${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && part=$rest
    rest=\${rest#"$part"} words[at]+=\${part//[\\\\\\"\\']/}
  done
  # The first line says what bash should do, each further one is a candidate, a tab, and its meaning.
  {
    IFS= read -r directive
    while IFS= read -r line; do found+=("$line"); done
  } < <(command pi-grove __complete -- "\${words[@]:1}" 2>/dev/null)

  COMPREPLY=()
  # Bash 3 (macOS) has no compopt, and does without what it is for.
  case $directive in
    :files) return ;;
    :directories) compopt -o dirnames +o default 2>/dev/null; return ;;
    :nospace) compopt -o nospace 2>/dev/null ;;
  esac
  compopt +o default 2>/dev/null
  compopt -o nosort 2>/dev/null
  # Only the last part of the word is replaced. A list, which COMP_TYPE asks for, shows the meanings.
  part=\${words[at]%"\${2//[\\\\\\"\\']/}"}
  for line in "\${found[@]}"; do
    line=\${line#"$part"}
    if [[ \${#found[@]} -gt 1 && $COMP_TYPE =~ 33|63|64 && \${line#*$'\\t'} ]]; then
      line="\${line/$'\\t'/  (})"
      COMPREPLY+=("\${line:0:\${COLUMNS:-80}-4}")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done
}

complete -o default -F _pi_grove pi-grove
`;

/** For zsh: to be sourced behind `compinit`, or a file `_pi-grove` in the `fpath`. */
const ZSH = `#compdef pi-grove
# Completions of pi-grove for zsh: source <(pi-grove completions zsh)

_pi_grove() {
  local line directive
  local -a lines found
  # The words up to the cursor. The first line of the answer says what zsh should do, each further one is a candidate,
  # a tab, and its meaning.
  lines=("\${(@f)$(command pi-grove __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  directive=$lines[1]
  for line in "\${(@)lines[2,-1]}"; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  case $directive in
    :files | :directories)
      [[ $PREFIX == --*=* ]] && compset -P '*='
      if [[ $directive == :files ]]; then _files; else _files -/; fi ;;
    :nospace) _describe -V -t pi-grove pi-grove found -S '' ;;
    *) (( $#found )) && _describe -V -t pi-grove pi-grove found ;;
  esac
}

if [[ $funcstack[1] == _pi-grove ]]; then _pi_grove "$@"; else compdef _pi_grove pi-grove; fi
`;

/** For fish 3 and newer. */
const FISH = `# Completions of pi-grove for fish: pi-grove completions fish >~/.config/fish/completions/pi-grove.fish

function __pi_grove_complete
    # The words up to the cursor. The first line of the answer says what fish should do, each further one is a candidate,
    # a tab, and its meaning.
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l lines (command pi-grove __complete -- $words[2..-1] "$typed" 2>/dev/null)
    set -l option (string match -r -- '^--[^=]+=' $typed)
    set -l value (string replace -r -- '^--[^=]+=' '' "$typed")
    switch "$lines[1]"
        case :files
            printf '%s\\n' "$option"(__fish_complete_path "$value")
        case :directories
            printf '%s\\n' "$option"(__fish_complete_directories "$value")
        case '*'
            printf '%s\\n' $lines[2..-1]
    end
end

complete -c pi-grove -e
complete -c pi-grove -f -k -a '(__pi_grove_complete)'
`;

export async function completions({ words: [shell] }: Arguments): Promise<number> {
	await printText(shell === "zsh" ? ZSH : shell === "fish" ? FISH : BASH);
	return EXIT.ok;
}
