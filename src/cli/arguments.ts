import { parseArgs } from "node:util";
import { nearest } from "../shared/nearest.ts";
import { COMMANDS, type CommandName, enumerate, OPTIONS } from "./options.ts";

/** What the command line asks for. */
export type Request =
	| {
			readonly kind: "browse";
			/** The session to begin with: the path of its file, or its id, or the beginning of that. */
			readonly open?: string;
			readonly sessionDir?: string;
			readonly pi?: string;
			/** End when pi starts, instead of coming back after it. */
			readonly leave?: true;
			readonly demo: boolean;
			readonly mouse: boolean;
	  }
	| { readonly kind: "list"; readonly sessionDir?: string; readonly cwd?: string; readonly json: boolean }
	| {
			readonly kind: "search";
			/** The words of the command line, separated by blanks; never blank. */
			readonly query: string;
			readonly sessionDir?: string;
			/** Print at most this many results. */
			readonly limit?: number;
			readonly json: boolean;
	  }
	| { readonly kind: "stats"; readonly sessionDir?: string; readonly json: boolean }
	| {
			readonly kind: "standup";
			/** A date as in a query. */
			readonly since: string;
			readonly sessionDir?: string;
			readonly cwd?: string;
			readonly json: boolean;
	  }
	| {
			readonly kind: "doctor";
			/** Paths or ids; none for all sessions. */
			readonly sessions: readonly string[];
			readonly sessionDir?: string;
			/** Where repaired copies are written. */
			readonly repairTo?: string;
			readonly json: boolean;
	  }
	| { readonly kind: "help" }
	| { readonly kind: "version" }
	/** A command line that cannot be understood; the message is one line without the program's name. */
	| { readonly kind: "mistake"; readonly message: string };

/**
 * Reads the arguments that follow the program's name. Node's own parser does it, not a framework: with commander every
 * start took 6 ms longer (39 instead of 33), and it would still be up to us to check which command takes which option.
 */
export function readArguments(args: readonly string[]): Request {
	// Not strict, because Node's own messages neither fit on one line nor suggest a name.
	const { tokens } = parseArgs({
		args: [...args],
		strict: false,
		tokens: true,
		allowPositionals: true,
		options: Object.fromEntries(
			OPTIONS.map(({ name, short, value }) => [
				name,
				{ type: value === undefined ? "boolean" : "string", ...(short !== undefined && { short }) } as const,
			]),
		),
	});
	const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
	const given = tokens.flatMap((token) => (token.kind === "option" ? [token] : []));
	if (given.some((option) => option.name === "help")) return { kind: "help" };
	if (given.some((option) => option.name === "version")) return { kind: "version" };

	// Checked before the command, because the value of an unknown option looks like a command.
	const unknown = given.find((option) => !OPTIONS.some(({ name }) => name === option.name));
	if (unknown) {
		const names = OPTIONS.map(({ name }) => name);
		const hint = suggestion(unknown.name, names, "--") || (words[0] === "search" ? AFTER_DASHES : "");
		return { kind: "mistake", message: `unknown option ${unknown.rawName}${hint}` };
	}
	const command = commandOf(words);
	if (typeof command !== "string") return command;
	const values = new Map<string, string>();
	for (const option of given) {
		const mistake = checkOption(option, command);
		if (mistake !== undefined) return { kind: "mistake", message: mistake };
		values.set(option.name, option.value ?? "");
	}
	return requestOf(command, command === "browse" ? words : words.slice(1), values);
}

const AFTER_DASHES = "; to search for words that start with -, put -- before them";

function commandOf(words: readonly string[]): CommandName | Request {
	const [word, ...more] = words;
	if (word === undefined) return "browse";
	const command = COMMANDS.find(({ name }) => name === word);
	if (!command) {
		const names = COMMANDS.map(({ name }) => name);
		// A path or an id is no misspelled command.
		const hint = /^[a-z]+$/.test(word) ? suggestion(word, names, "") : "";
		if (hint !== "") return { kind: "mistake", message: `unknown command ${word}${hint}` };
		if (more[0] === undefined) return "browse";
		return { kind: "mistake", message: `the browser opens one session, ${word}; it takes no argument ${more[0]}` };
	}
	if (command.words === undefined && more[0] !== undefined) {
		return { kind: "mistake", message: `${command.name} takes no argument ${more[0]}; options start with --` };
	}
	return command.name;
}

interface GivenOption {
	readonly name: string;
	readonly rawName: string;
	readonly value?: string | undefined;
}

/** Returns what is wrong with the option, if anything. */
function checkOption(given: GivenOption, command: CommandName): string | undefined {
	const option = OPTIONS.find(({ name }) => name === given.name);
	if (!option) return undefined;
	if (!option.commands.includes(command)) {
		return `option ${given.rawName} is not for ${command === "browse" ? "the browser" : command}, only for ${commandLine(option.commands)}`;
	}
	if (option.value === undefined) {
		return given.value === undefined ? undefined : `option ${given.rawName} takes no value`;
	}
	if (given.value === undefined || given.value === "") return `option ${given.rawName} needs a value: ${option.value}`;
	if (option.counts && !/^0*[1-9]\d{0,14}$/.test(given.value)) {
		return `option ${given.rawName} needs a whole number of at least 1, not ${given.value}`;
	}
	return undefined;
}

function commandLine(names: readonly CommandName[]): string {
	return names.includes("browse") ? "the browser" : `pi-grove ${enumerate(names)}`;
}

function suggestion(word: string, names: readonly string[], prefix: string): string {
	const name = nearest(word, names);
	return name === undefined ? "" : `; did you mean ${prefix}${name}?`;
}

function requestOf(command: CommandName, words: readonly string[], values: ReadonlyMap<string, string>): Request {
	const sessionDir = values.get("session-dir");
	const shared = sessionDir === undefined ? {} : { sessionDir };
	const json = values.has("json");
	switch (command) {
		case "list": {
			const cwd = values.get("cwd");
			return { kind: "list", ...shared, ...(cwd !== undefined && { cwd }), json };
		}
		case "search": {
			const query = words.join(" ").trim();
			if (query === "") return { kind: "mistake", message: "search needs a query: pi-grove search QUERY" };
			const limit = values.get("limit");
			return { kind: "search", query, ...shared, ...(limit !== undefined && { limit: Number(limit) }), json };
		}
		case "stats":
			return { kind: "stats", ...shared, json };
		case "standup": {
			const cwd = values.get("cwd");
			return {
				kind: "standup",
				since: values.get("since") ?? "yesterday",
				...shared,
				...(cwd !== undefined && { cwd }),
				json,
			};
		}
		case "doctor": {
			const repairTo = values.get("repair-to");
			return { kind: "doctor", sessions: words, ...shared, ...(repairTo !== undefined && { repairTo }), json };
		}
		case "browse": {
			const pi = values.get("pi");
			const [open] = words;
			return {
				kind: "browse",
				...(open !== undefined && { open }),
				...shared,
				...(pi !== undefined && { pi }),
				...(values.has("leave") && { leave: true as const }),
				demo: values.has("demo"),
				mouse: !values.has("no-mouse"),
			};
		}
	}
}
