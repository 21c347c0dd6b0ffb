import {
	type Command,
	type CommandName,
	commandOf,
	NAMED_COMMANDS,
	type OptionKind,
	type OptionName,
	optionOf,
	optionsOf,
	type WordKind,
} from "../arguments/command-table.ts";
import { EXAMPLE_DATES, HELP_CANDIDATES } from "./completion-words.ts";
import type { Pair } from "./help-layout.ts";

/** The completions for zsh, to be sourced behind `compinit`, or in a file `_pi-grove` of the `fpath`. */
export function zshCompletions(): string {
	return `#compdef pi-grove
# Completions of pi-grove for zsh: source <(pi-grove completions zsh)

# Candidates of pi-grove itself, one a line: a word, a tab, and what it is.
_pi_grove_ask() {
  local line
  local -a found
  for line in "\${(@f)$(command pi-grove __complete "$1" "\${(Q)PREFIX}" "$pi_grove_directory" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#found )) || return 1
  # In the order in which they came: newest first.
  _describe -V -t pi-grove-$1 $1 found "\${@:2}"
}

_pi_grove_session() {
  if [[ $PREFIX == */* || $PREFIX == .* ]]; then _files; else _pi_grove_ask session; fi
}

_pi_grove_query() {
  # Behind a field, its value is typed at once.
  if [[ $PREFIX == *:* ]]; then _pi_grove_ask query; else _pi_grove_ask query -S ''; fi
}

_pi_grove_date() {
  local -a dates=(${EXAMPLE_DATES.map(described).join(" ")})
  _describe -V -t dates date dates
}

_pi_grove_help() {
  local -a topics=(
${HELP_CANDIDATES.map((pair) => `    ${described(pair)}`).join("\n")}
  )
  _describe -V -t topics 'command or topic' topics
}

_pi_grove_command() {
  local -a commands=(
${NAMED_COMMANDS.map((name) => `    ${described([name, commandOf(name).description])}`).join("\n")}
  )
  _describe -V -t commands command commands || _pi_grove_session
}

_pi_grove() {
  local curcontext=$curcontext state pi_grove_directory at
  local -a line
  typeset -A opt_args
  at=\${words[(I)--session-dir]}
  if (( at && at < CURRENT - 1 )); then pi_grove_directory=\${words[at+1]}
  else pi_grove_directory=\${\${(M)words:#--session-dir=*}#--session-dir=}
  fi
  _arguments -C ${optionsOf("browse").flatMap(optionSpecs).join(" ")} '(-): :->command' '(-)*:: :->words' && return
  case $state in
    command) _pi_grove_command ;;
    words)
      case $words[1] in
${NAMED_COMMANDS.map(caseOf).join("\n")}
      esac ;;
  esac
}

if [[ $funcstack[1] == _pi-grove ]]; then _pi_grove "$@"; else compdef _pi_grove pi-grove; fi
`;
}

/** What completes a word, or the value of an option. */
const ACTIONS: Readonly<Record<WordKind, string>> = {
	session: "_pi_grove_session",
	query: "_pi_grove_query",
	text: " ",
	file: "_files",
	choice: " ",
	command: "_pi_grove_help",
};

/** The same for the values of options. */
const VALUE_ACTIONS: Readonly<Record<OptionKind, string>> = {
	flag: "",
	text: " ",
	count: " ",
	descriptor: " ",
	directory: "_files -/",
	file: "_files",
	date: "_pi_grove_date",
	session: "_pi_grove_session",
};

function caseOf(name: CommandName): string {
	const { words }: Command = commandOf(name);
	const specs = (words?.kinds ?? []).map((kind, index, all) => {
		const isRest = index === all.length - 1 && words?.most === undefined;
		const action = kind === "choice" ? `(${(words?.choices ?? []).join(" ")})` : ACTIONS[kind];
		return `'${isRest ? "*" : ""}:${kind}:${action}'`;
	});
	return `        ${name}) _arguments ${[...optionsOf(name).flatMap(optionSpecs), ...specs].join(" ")} ;;`;
}

/** An option as \`_arguments\` takes it: a short one as a second spec, each excluding the other. */
function optionSpecs(name: OptionName): readonly string[] {
	const { short, kind, value = "", description } = optionOf(name);
	const text = description.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, "\\$&");
	const action = VALUE_ACTIONS[kind];
	const long = `'${short === undefined ? "" : `(-${short})`}--${name}${kind === "flag" ? "" : "="}[${text}]${kind === "flag" ? "" : `:${value}:${action}`}'`;
	return short === undefined ? [long] : [long, `'(--${name})-${short}[${text}]'`];
}

/** "word:meaning", as \`_describe\` takes it. */
function described([word, meaning]: Pair): string {
	return `'${`${word.replaceAll(":", "\\:")}:${meaning}`.replaceAll("'", "'\\''")}'`;
}
