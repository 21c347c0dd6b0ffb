import { splitWords } from "../../../../shared/split-words.ts";
import { findProgram } from "../../../world/effects/find-program.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The person's editor or pager. */
export interface OutsideProgram {
	readonly command: string;
	/** Arguments before the file's path. */
	readonly args: readonly string[];
	/** Its name in messages: the value of the variable, or the program's name. */
	readonly name: string;
}

interface Wanted {
	/** Environment variables that name it; the first one set counts. */
	readonly variables: readonly string[];
	/** Programs to try if none of them is set. */
	readonly defaults: readonly (readonly string[])[];
	readonly word: string;
}

const WANTED: Readonly<Record<"editor" | "pager", Wanted>> = {
	editor: { variables: ["VISUAL", "EDITOR"], defaults: [["vi"], ["vim"], ["nano"], ["notepad"]], word: "editor" },
	pager: { variables: ["PAGER"], defaults: [["less", "-R"], ["more"]], word: "pager" },
};

/** The person's editor or pager; a string says why none was found. */
export async function findOutsideProgram(
	kind: "editor" | "pager",
	env: Env,
	platform: NodeJS.Platform = process.platform,
): Promise<OutsideProgram | string> {
	const { variables, defaults, word } = WANTED[kind];
	const variable = variables.find((name) => (env[name] ?? "").trim() !== "");
	const all = variables.map((name) => `$${name}`).join(" or ");
	if (variable === undefined) {
		for (const [name = "", ...args] of defaults) {
			const command = await findProgram(name, env, platform);
			if (command !== undefined) return { command, args, name };
		}
		return `Cannot open the ${word}: no known one is installed; name yours in ${all}`;
	}
	const line = (env[variable] ?? "").trim();
	if (platform === "win32") {
		const split = splitWords(line, platform);
		const [name = "", ...args] = "words" in split ? split.words : [line];
		const command = await findProgram(name, env, platform);
		if (command === undefined)
			return `Cannot open the ${word}: there is no program "${name}", which $${variable} names`;
		return { command, args, name: line };
	}
	const [first = ""] = line.split(/\s+/);
	// A name that needs expansion is left to the shell.
	const isName = /^[\w./+:@-]+$/.test(first);
	if (isName && (await findProgram(first, env, platform)) === undefined) {
		return `Cannot open the ${word}: there is no program "${first}", which $${variable} names`;
	}
	// Like git and crontab, allow arguments, quotes and other shell syntax in the variable.
	// "exec", so that a signal reaches the program and not only the shell.
	return { command: "/bin/sh", args: ["-c", `${isName ? "exec " : ""}${line} "$@"`, line], name: line };
}
