/** A file, link or submodule in a commit. */
export interface TreeFile {
	/** The name of the object: a blob, for a submodule a commit. */
	readonly id: string;
	readonly mode: "100644" | "100755" | "120000" | "160000";
}

/** What two commits have differently at a path, relative to the top, with "/"; undefined where one does not have it. */
export interface TreeChange {
	readonly path: string;
	readonly before: TreeFile | undefined;
	readonly after: TreeFile | undefined;
}

/** An entry of a tree. */
export interface TreeEntry {
	readonly id: string;
	readonly mode: string;
}

/** The entries of a tree by their names, each byte as a character. */
export function entriesOf(tree: Buffer, idBytes: number): ReadonlyMap<string, TreeEntry> {
	const entries = new Map<string, TreeEntry>();
	for (let at = 0; at < tree.length; ) {
		const space = tree.indexOf(" ", at);
		const end = tree.indexOf("\0", space);
		const id = tree.toString("hex", end + 1, end + 1 + idBytes);
		entries.set(tree.toString("latin1", space + 1, end), { mode: tree.toString("latin1", at, space), id });
		at = end + 1 + idBytes;
	}
	return entries;
}

/** Two names of objects, and what stands between and behind them. */
const LONGEST_HEAD = 2 * 64 + 2;

/** What `git diff-tree` prints: a head for each pair, which ends with a line feed if it was of two trees, and its changes. */
export function treeChanges(output: string): readonly (readonly TreeChange[])[] {
	const changes: TreeChange[][] = [];
	for (let at = 0; at < output.length; ) {
		const end = output.indexOf("\0", at);
		const [, beforeMode = "", afterMode = "", before = "", after = ""] =
			/^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/.exec(output.slice(at, end)) ?? [];
		if (after === "") {
			changes.push([]);
			at += /^[0-9a-f]+ ?[0-9a-f]*[\n\0]/.exec(output.slice(at, at + LONGEST_HEAD))?.[0].length ?? output.length;
		} else {
			const path = output.slice(end + 1, output.indexOf("\0", end + 1));
			changes.at(-1)?.push({ path, before: treeFile(beforeMode, before), after: treeFile(afterMode, after) });
			at = end + path.length + 2;
		}
	}
	return changes;
}

/** A file by its mode as Git prints it; undefined for a directory, and where there is none. */
export function treeFile(mode: string, id: string): TreeFile | undefined {
	if (mode === "120000" || mode === "160000") return { mode, id };
	if (!mode.startsWith("100")) return undefined;
	return { mode: Number.parseInt(mode, 8) & 0o111 ? "100755" : "100644", id };
}
