import {
	COMMANDS,
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
import { EXAMPLE_DATES, HELP_CANDIDATES, valueOptions } from "./completion-words.ts";
import type { Pair } from "./help-layout.ts";

/** The completions for fish, 3 and newer. */
export function fishCompletions(): string {
	return `# Completions of pi-grove for fish: pi-grove completions fish >~/.config/fish/completions/pi-grove.fish

# The words typed so far, without options and their values: the command first.
function __pi_grove_words
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l words
    set -l skip no
    set -l dashes no
    for token in $tokens
        if test $skip = yes
            set skip no
        else if test $dashes = yes
            set -a words $token
        else
            switch $token
                case --
                    set dashes yes
                case ${valueOptions().join(" ")}
                    set skip yes
                case '-*'
                case '*'
                    set -a words $token
            end
        end
    end
    test (count $words) -gt 0; and printf '%s\\n' $words
end

# Whether the command is the first argument, with at least as many words behind it as the second says, and at most as the third.
function __pi_grove_at
    set -l words (__pi_grove_words)
    test "$words[1]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    set -l count (math (count $words) - 1)
    test $count -ge $argv[2]; or return 1
    not set -q argv[3]; or test $count -le $argv[3]
end

# Whether no command has been typed yet.
function __pi_grove_first
    set -l words (__pi_grove_words)
    test (count $words) -eq 0
end

# Candidates of pi-grove itself: a word, a tab, and what it is; the files where a path is typed.
function __pi_grove_ask
    set -l directory
    set -l tokens (commandline -opc)
    for index in (seq (count $tokens))
        switch $tokens[$index]
            case --session-dir
                set directory $tokens[(math $index + 1)]
            case '--session-dir=*'
                set directory (string replace -- --session-dir= '' $tokens[$index])
        end
    end
    set -l typed (commandline -ct)
    if test $argv[1] = session; and string match -qr '/|^\\.' -- $typed
        __fish_complete_path $typed
        return
    end
    command pi-grove __complete $argv[1] "$typed" "$directory" 2>/dev/null
end

complete -c pi-grove -e
complete -c pi-grove -f
${NAMED_COMMANDS.map((name) => `complete -c pi-grove -n __pi_grove_first -a ${name} -d ${quoted(commandOf(name).description)}`).join("\n")}
complete -c pi-grove -n '__pi_grove_first; and string length -q -- (commandline -ct)' -k -a '(__pi_grove_ask session)'
${optionsOf("browse")
	.map((option) => optionLine("__pi_grove_first", option))
	.join("\n")}
${(Object.keys(COMMANDS) as CommandName[])
	.filter((name) => name !== "browse")
	.flatMap(linesOf)
	.join("\n")}
`;
}

function linesOf(name: CommandName): readonly string[] {
	const { words }: Command = commandOf(name);
	const kinds = words?.kinds ?? [];
	return [
		...kinds.map((kind, index) => {
			const to = index < kinds.length - 1 ? index : words?.most === undefined ? "" : words.most - 1;
			return wordLine(`__pi_grove_at ${name} ${index} ${to}`.trimEnd(), kind, words?.choices ?? []);
		}),
		...optionsOf(name).map((option) => optionLine(`__pi_grove_at ${name}`, option)),
	].filter(Boolean);
}

function wordLine(condition: string, kind: WordKind, choices: readonly string[]): string {
	const start = `complete -c pi-grove -n '${condition}'`;
	switch (kind) {
		case "session":
		case "query":
			return `${start} -k -a '(__pi_grove_ask ${kind})'`;
		case "file":
			return `${start} -F`;
		case "choice":
			return `${start} -a ${quoted(choices.join(" "))}`;
		case "command":
			return `${start} -k -a ${listed(HELP_CANDIDATES)}`;
		case "text":
			return "";
	}
}

/** What completes the value of an option. */
const VALUES: Readonly<Record<OptionKind, string>> = {
	flag: "",
	text: " -x",
	count: " -x",
	descriptor: " -x",
	directory: " -xa '(__fish_complete_directories)'",
	file: " -rF",
	date: ` -kxa ${listed(EXAMPLE_DATES)}`,
	session: " -kxa '(__pi_grove_ask session)'",
};

function optionLine(condition: string, name: OptionName): string {
	const { short, kind, description } = optionOf(name);
	const value = VALUES[kind];
	return `complete -c pi-grove -n '${condition}' -l ${name}${short === undefined ? "" : ` -s ${short}`}${value} -d ${quoted(description)}`;
}

/** Words with what they are: a function of the shell prints them, since a list in one word cannot hold blanks. */
function listed(pairs: readonly Pair[]): string {
	return quoted(`(printf '%s\\t%s\\n' ${pairs.flat().map(quoted).join(" ")})`);
}

/** In single quotes, where fish knows \`\\'\` and \`\\\\\`. */
function quoted(text: string): string {
	return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
