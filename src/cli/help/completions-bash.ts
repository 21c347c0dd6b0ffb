import {
	type Command,
	type CommandName,
	commandOf,
	NAMED_COMMANDS,
	OPTION_NAMES,
	optionOf,
	optionsOf,
} from "../arguments/command-table.ts";
import { EXAMPLE_DATES, HELP_CANDIDATES, optionFlags, valueOptions } from "./completion-words.ts";

/**
 * The completions for bash, 3.2 (macOS) and newer; they need no other package. `=` and `:` end a word there, as in
 * COMP_WORDBREAKS, so a part of a word is completed.
 */
export function bashCompletions(): string {
	return `# Completions of pi-grove for bash: source <(pi-grove completions bash)

# Bash 3 (macOS) has no compopt: what it asks for is only a comfort.
_pi_grove_option() { compopt "$@" 2>/dev/null || true; }

# Candidates of pi-grove itself, one a line: a word, a tab, and what it is.
_pi_grove_ask() {
  local line
  while IFS= read -r line; do found+=("$line"); done < <(command pi-grove __complete "$1" "$2" "$directory" 2>/dev/null)
}

# Candidates that begin with the word, from lines like those above.
_pi_grove_choose() {
  local line
  while IFS= read -r line; do [[ $line == "$cur"* ]] && found+=("$line"); done <<<"$1"
}

_pi_grove() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= directory= words=0 dashes= i word
  local options kinds most choices kind line
  local -a found
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $dashes ]]; then ((words++)); continue; fi
    case $word in
      --) dashes=yes ;;
      ${valueOptions().join("|")})
        [[ \${COMP_WORDS[i+1]-} == = ]] && ((i++))
        ((i++))
        [[ $word == --session-dir ]] && ((i < COMP_CWORD)) && directory=\${COMP_WORDS[i]}
        ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=$word; else ((words++)); fi ;;
    esac
  done
  # An option and its value with "=" are three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $before == = ]] && ((COMP_CWORD > 1)); then before=\${COMP_WORDS[COMP_CWORD-2]}
  fi

  most= kinds= choices=
  case $command in
${NAMED_COMMANDS.map(caseOf).join("\n")}
    *) options=${quoted(optionLines("browse"))} most=0 ;;
  esac

  if [[ -z $dashes ]]; then
    case $before in
      ${ofKind("directory")}) _pi_grove_files -d; return ;;
      ${ofKind("file")}) _pi_grove_files -f; return ;;
      ${ofKind("session")}) _pi_grove_session; return ;;
      ${ofKind("date")}) _pi_grove_choose ${quoted(EXAMPLE_DATES.map(lineOf).join("\n"))}; _pi_grove_reply; return ;;
      ${[...ofKindNames("count"), ...ofKindNames("descriptor"), ...ofKindNames("text")].join("|")}) _pi_grove_option +o default; return ;;
    esac
    if [[ $cur == -* ]]; then _pi_grove_choose "$options"; _pi_grove_reply; return; fi
  fi

  if [[ -z $command ]]; then
    _pi_grove_choose ${quoted(NAMED_COMMANDS.map((name) => lineOf([name, commandOf(name).description])).join("\n"))}
    kind=session
    [[ \${#found[@]} -gt 0 ]] && kind=
  elif [[ -n $most ]] && ((words >= most)); then
    _pi_grove_option +o default
    return
  else
    # The last kind stands for all words that follow.
    for kind in $kinds; do ((words-- > 0)) || break; done
  fi
  case $kind in
    session) _pi_grove_session; return ;;
    query)
      # What stands before a colon is a word of its own for bash.
      word=\${COMP_LINE:0:COMP_POINT} word=\${word##*[[:space:]]}
      _pi_grove_ask query "$word"
      for i in "\${!found[@]}"; do found[i]=\${found[i]#"\${word%"\${word##*[:=]}"}"}; done
      # Behind a field, its value is typed at once.
      [[ \${#found[@]} -eq 1 && \${found[0]%%$'\\t'*} != *: ]] || _pi_grove_option -o nospace
      ;;
    choice | command) _pi_grove_choose "$choices" ;;
    file) _pi_grove_files -f; return ;;
  esac
  _pi_grove_reply
}

_pi_grove_session() {
  if [[ $cur == */* || $cur == .* ]]; then _pi_grove_files -f; else _pi_grove_ask session "$cur"; _pi_grove_reply; fi
}

# Where several candidates are listed, each with what it is; what is put into the line is the word alone.
_pi_grove_reply() {
  local line listed=
  [[ \${#found[@]} -gt 1 ]] && case $COMP_TYPE in 33 | 63 | 64) listed=yes ;; esac
  for line in "\${found[@]}"; do
    if [[ -n $listed && \${line#*$'\\t'} != '' ]]; then
      line="\${line%%$'\\t'*}  (\${line#*$'\\t'})"
      COMPREPLY+=("\${line:0:\${COLUMNS:-80}-4}")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done
  _pi_grove_option -o nosort
  _pi_grove_option +o default
}

_pi_grove_files() {
  local line
  # Without it (bash 3) a blank in a name would end the word; where nothing is proposed, bash completes files by itself.
  compopt -o filenames 2>/dev/null || return 0
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$cur")
}

complete -o default -F _pi_grove pi-grove
`;
}

/** One command of the "case": its options, what its words are, how many there may be, and what they may be. */
function caseOf(name: CommandName): string {
	const { words }: Command = commandOf(name);
	const choices = words?.kinds.includes("command")
		? HELP_CANDIDATES
		: (words?.choices ?? []).map((one) => [one, ""] as const);
	const parts = [
		`options=${quoted(optionLines(name))}`,
		words === undefined ? "most=0" : `kinds=${quoted(words.kinds.join(" "))}`,
		words?.most === undefined ? "" : `most=${words.most}`,
		choices.length === 0 ? "" : `choices=${quoted(choices.map(lineOf).join("\n"))}`,
	];
	return `    ${name}) ${parts.filter(Boolean).join(" ")} ;;`;
}

function optionLines(name: CommandName): string {
	return optionsOf(name)
		.flatMap((option) => optionFlags(option).map((flag) => lineOf([flag, optionOf(option).description])))
		.join("\n");
}

function ofKindNames(kind: string): readonly string[] {
	return OPTION_NAMES.filter((name) => optionOf(name).kind === kind).map((name) => `--${name}`);
}

/** A pattern that nothing matches where there is no such option. */
function ofKind(kind: string): string {
	return ofKindNames(kind).join("|") || "''";
}

/** `$'…'`: the script itself then holds no tab and one line a string. */
function quoted(text: string): string {
	return `$'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\t", "\\t").replaceAll("\n", "\\n")}'`;
}

function lineOf([word, meaning]: readonly [string, string]): string {
	return `${word}\t${meaning}`;
}
