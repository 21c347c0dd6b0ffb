import { relative } from "node:path";
import { findGit } from "../catalog/git/git-repository.ts";
import type { Renderers } from "../conversation/render/renderers.ts";
import type { LineChange } from "../store/format/tool-change.ts";
import type { Session } from "../store/read/read-session.ts";
import type { ChangedFile } from "./session-changes.ts";

/** The directory that the paths of a patch begin at: the top of the repository of its session, else the directory of that. */
export async function patchRoot({ header }: Session, isRemote: boolean): Promise<string> {
	const cwd = header?.cwd || "/";
	return isRemote ? cwd : ((await findGit(cwd))?.top ?? cwd);
}

/**
 * What a session changed in a file, as a section of a unified diff that `git apply` takes, forward and with -R; "" if nothing differs in
 * the end. Of a file of which only the edits are known, a section for each of them. What is not known is left out: modes, and names that
 * the file had before. `root`: the directory that its paths begin at, which must be above the file.
 */
export function patchOf(file: ChangedFile, root: string, { unifiedHunks }: Renderers): string {
	const name = relative(root, file.path);
	const { answer, before, after, diffs } = file;
	const names = [quoted(`a/${name}`), quoted(`b/${name}`)] as const;
	if (answer === "edits") return diffs.map((hunks) => section(names, names, "", hunks)).join("");
	if (before === after) return "";
	const mode =
		before === undefined ? "new file mode 100644\n" : after === undefined ? "deleted file mode 100644\n" : "";
	const [old, now] = names;
	const sides = [before === undefined ? NONE : old, after === undefined ? NONE : now] as const;
	return section(names, sides, mode, unifiedHunks(before ?? "", after ?? ""));
}

/** Lines that a patch adds and removes. */
export function patchCounts(patch: string): LineChange {
	let [added, removed] = [0, 0];
	let isInHunk = false;
	for (const line of patch.split("\n")) {
		if (line.startsWith("diff --git ")) isInHunk = false;
		else if (line.startsWith("@@ ")) isInHunk = true;
		else if (isInHunk && line.startsWith("+")) added++;
		else if (isInHunk && line.startsWith("-")) removed++;
	}
	return { added, removed };
}

const NONE = "/dev/null";

/** The section of a file with these names; `sides`: with these before and after. */
function section([old, now]: Names, [before, after]: Names, mode: string, hunks: string): string {
	// What is no hunk is a comment.
	if (hunks.startsWith("#")) return `# ${now}, an edit whose place is not known:\n${hunks}`;
	const head = `diff --git ${old} ${now}\n${mode}`;
	return hunks === "" ? head : `${head}--- ${before}${endOf(before)}+++ ${after}${endOf(after)}${hunks}`;
}

type Names = readonly [before: string, after: string];

/** As Git does: a tab ends a name with spaces. */
function endOf(name: string): string {
	return name.includes(" ") ? "\t\n" : "\n";
}

/** A name as Git reads it: in quotes, and its bytes escaped, if it is not plain ASCII. */
function quoted(name: string): string {
	if (!/[\0-\x1f"\\\x7f-\uffff]/.test(name)) return name;
	const bytes = [...Buffer.from(name)].map((byte) => {
		const char = String.fromCharCode(byte);
		return /[ !#-[\]-~]/.test(char) ? char : `\\${byte.toString(8).padStart(3, "0")}`;
	});
	return `"${bytes.join("")}"`;
}
