import { findGit } from "../catalog/git/git-repository.ts";
import type { LineChange } from "../conversation/entries/change-spans.ts";
import { isUnder, nameFrom } from "../shared/paths.ts";
import { systemOf } from "../shared/system.ts";
import type { Session } from "../store/read/read-session.ts";
import { isGits, isPossible } from "../store/write/foreign-names.ts";
import { hunksBetween, hunkText, inLineEnds, type PatchHunk, withHunks } from "./patch-hunks.ts";
import type { ChangedFile, FileMode } from "./session-changes.ts";

/** The directory that the paths of a patch begin at: the top of the repository of its session, else the directory of that. */
export async function patchRoot({ header }: Session, isRemote: boolean): Promise<string> {
	const cwd = header?.cwd || "/";
	return isRemote ? cwd : ((await findGit(cwd))?.top ?? cwd);
}

/**
 * The name of a file in a patch whose paths begin at `root`. Undefined for a file that no patch can have (`whyLeftOut`): one that is outside of
 * `root`, belongs to Git, or has a name that no file can have.
 */
export function patchName(path: string, root: string): string | undefined {
	const name = nameFrom(path, root);
	// Git on Windows would take it for a drive.
	if (!isUnder(path, root) || /^[a-z]:(?:[/\\]|$)/i.test(name) || isGits(name)) return undefined;
	return isPossible(name, systemOf(root)) ? name : undefined;
}

/** Why no patch can have a file, behind "it is"; `shownRoot`: the root as it is shown. */
export function whyLeftOut(path: string, root: string, shownRoot: string): string {
	if (!isUnder(path, root)) return `outside of ${shownRoot}`;
	return isGits(nameFrom(path, root)) ? "in Git's own directory" : "under a name that no file can have";
}

/**
 * What a session changed in a file, as a section of a unified diff that `git apply` takes, forward and with -R, if a patch can have the
 * file (`patchName`); "" if nothing differs in the end. Of a file of which only the edits are known, a section for each of them.
 */
export function patchOf(file: ChangedFile, root: string): string {
	const { path, answer, renamedFrom, modes, after } = file;
	const now = nameFrom(path, root);
	const old = renamedFrom === undefined ? now : patchName(renamedFrom, root);
	if (answer === "edits") return [...editSections(file, old ?? now, now)].join("");
	// What comes from where the patch does not reach is new to it.
	const start = old === undefined ? undefined : file.before;
	const hunks = hunksBetween(start ?? "", after ?? "");
	return section({ old: old ?? now, now, before: start, after, modes, hunks });
}

/**
 * The edits of a file, a section for each; one for all of them since its text was known, because Git takes nothing else beside a new file
 * or a new name of the same file.
 */
function* editSections(
	{ diffs, modes, before, lineEnd }: ChangedFile,
	old: string,
	now: string,
): Generator<string, void> {
	const isOne = diffs.length === 0 || (diffs.length === 1 && diffs[0]?.of === "hunks");
	if (old !== now && !isOne) yield `# ${quoted(`a/${old}`)} was renamed to ${quoted(`b/${now}`)}\n`;
	const whole = { old: isOne ? old : now, now, modes: isOne ? modes : undefined };
	/** What the last edits made of what, if that is known, and how the lines of the file end. */
	let span: Pick<Section, "before" | "after"> = { before, after: before };
	let ending = lineEnd ?? lineEndOf(before);
	let isNew = false;
	const spanSection = (): string => {
		if (span.before === span.after) return "";
		const hunks = hunksBetween(span.before ?? "", span.after ?? "");
		isNew ||= span.before === undefined && span.after !== undefined;
		return section({ ...whole, ...span, ...(isNew && { modes: { after: modes?.after ?? PLAIN } }), hunks });
	};
	for (const diff of diffs) {
		const { after: text } = span;
		const hunks = diff.of === "hunks" ? inLineEnds(diff.hunks, diff.lineEnd ?? ending ?? "\n") : [];
		if (diff.of === "file") ending = lineEnd ?? lineEndOf(diff.text);
		const fitting = diff.of === "hunks" && text !== undefined ? withHunks(text, hunks) : undefined;
		const result = diff.of === "file" ? diff.text : fitting;
		if (result !== undefined) {
			span = { ...span, after: result };
			continue;
		}
		yield spanSection();
		span = { before: undefined, after: undefined };
		if (diff.of === "hunks") yield section({ ...SAME, ...whole, hunks });
		if (diff.of !== "texts") continue;
		yield `# ${quoted(`b/${now}`)}, an edit whose place is not known:\n`;
		for (const line of diff.lines) yield `# ${SIGNS[line.kind]}${line.text}\n`;
	}
	yield spanSection();
	if (!isNew && (!isOne || diffs.length === 0)) yield section({ ...SAME, ...whole, modes });
}

function lineEndOf(text: string | undefined): "\r\n" | undefined {
	return text?.includes("\r\n") ? "\r\n" : undefined;
}

const SIGNS = { same: " ", removed: "-", added: "+", gap: " …", note: "" } as const;

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

/** A file before and after a change. */
export interface Section {
	/** Its names, relative to the root. */
	readonly old: string;
	readonly now: string;
	/** Undefined where there is no file; what the texts are beside that, only the hunks say, and how similar they are. */
	readonly before: string | undefined;
	readonly after: string | undefined;
	readonly modes?: ChangedFile["modes"] | undefined;
	readonly hunks: readonly PatchHunk[];
}

/** Nothing changes in a file whose text is not known. */
const SAME = { before: "", after: "", hunks: [] } as const;

/** The section of a file; "" if nothing differs. */
export function section({ old, now, before, after, modes = {}, hunks }: Section): string {
	// Of a file that is new or removed Git has one name.
	const names = [
		quoted(`a/${before === undefined ? now : old}`),
		quoted(`b/${after === undefined ? old : now}`),
	] as const;
	const facts: string[] = [];
	if (before === undefined && after === undefined) return "";
	if (before === undefined) facts.push(`new file mode ${modes.after ?? PLAIN}`);
	else if (after === undefined) facts.push(`deleted file mode ${modes.before ?? PLAIN}`);
	else {
		if (modes.before !== undefined && modes.after !== undefined && modes.before !== modes.after)
			facts.push(`old mode ${modes.before}`, `new mode ${modes.after}`);
		if (old !== now)
			facts.push(
				`similarity index ${similarity(before, after, hunks)}%`,
				`rename from ${quoted(old)}`,
				`rename to ${quoted(now)}`,
			);
	}
	if (facts.length === 0 && hunks.length === 0) return "";
	const head = [`diff --git ${names.join(" ")}`, ...facts].map((line) => `${line}\n`).join("");
	const oldSide = before === undefined ? NONE : names[0];
	const newSide = after === undefined ? NONE : names[1];
	const body = hunks.map(hunkText).join("");
	return body === "" ? head : `${head}--- ${oldSide}${endOf(oldSide)}+++ ${newSide}${endOf(newSide)}${body}`;
}

const PLAIN: FileMode = "100644";

/** How much of a file is in the other one, in percent. */
function similarity(before: string, after: string, hunks: readonly PatchHunk[]): number {
	if (hunks.length === 0) return 100;
	const lines = hunks.flatMap((hunk) => hunk.lines);
	const removed = lines.reduce((sum, { kind, text }) => sum + (kind === "removed" ? text.length : 0), 0);
	return Math.floor((100 * Math.max(0, before.length - removed)) / Math.max(before.length, after.length, 1));
}

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
