import { extname, posix } from "node:path";
import { nameOf, word } from "./texts.ts";
import type { WorldSession } from "./world-session.ts";

/** A name as the shell reads it. */
export function quoted(text: string): string {
	return /^[\w./-]+$/.test(text) ? text : `'${text}'`;
}

/** A file of the session's root that can be worked on; undefined if there is none. */
export function anyFile({ world, root }: WorldSession, isWanted?: (name: string) => boolean): string | undefined {
	const names = world.files(root, isWanted);
	return names.length === 0 ? undefined : world.chance.pick(names);
}

/** A name that no file has, relative to the root; seldom in a folder that is not there. */
export function newName({ world, root }: WorldSession, extension?: string): string {
	const { chance } = world;
	const folders = new Set([...(world.now.get(root)?.keys() ?? [])].map((name) => posix.dirname(name)));
	const folder = chance.pick([...folders, word(chance)]);
	const stem = chance.pick([
		nameOf(chance),
		nameOf(chance),
		`${word(chance)} ${word(chance)}`,
		`${word(chance)}-größe`,
	]);
	return posix.join(folder, stem + (extension ?? chance.pick([".js", ".md", ".txt", ".ts", ".py"])));
}

/** What the words in braces of a command stand for; of one command, `file` is the same file everywhere. */
const WORDS: Readonly<Record<string, (session: WorldSession, file: string) => string>> = {
	file: (session, file) => quoted(session.named(file)),
	folder: (session, file) => quoted(posix.dirname(session.named(file))),
	base: (_, file) => quoted(posix.basename(file)),
	/** The first folder of its name. */
	tree: (session, file) => quoted(session.named(file.split("/")[0] ?? "")),
	/** A new name anywhere, or in the same folder. */
	new: (session, file) => quoted(session.named(newName(session, extname(file)))),
	beside: (session, file) =>
		quoted(session.named(posix.join(posix.dirname(file), nameOf(session.world.chance) + extname(file)))),
	name: ({ world }) => nameOf(world.chance),
	word: ({ world }) => word(world.chance),
	number: ({ world }) => String(1 + world.chance.below(9)),
};

/** Fills in a command for a file, by default any; undefined if there is no such file. */
export function commandFor(session: WorldSession, template: string, file?: string): string | undefined {
	const isInTree = template.includes("{tree}");
	const name = file ?? anyFile(session, (one) => !isInTree || one.includes("/"));
	if (name === undefined) return undefined;
	return template.replace(/\{(\w+)\}/g, (whole, key: string) => WORDS[key]?.(session, name) ?? whole);
}

/** Runs one of some commands. */
export function bash(session: WorldSession, templates: readonly string[], file?: string): void {
	const command = commandFor(session, session.world.chance.pick(templates), file);
	if (command !== undefined) session.call([{ tool: "bash", command }]);
}
