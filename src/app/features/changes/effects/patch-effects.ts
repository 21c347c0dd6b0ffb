import { stat } from "node:fs/promises";
import type { Message } from "../../../../changes/answer.ts";
import { readerOf } from "../../../../changes/files/read-here.ts";
import type { DiffLine } from "../../../../conversation/render/diff-lines.ts";
import { knownFiles, type RanCommand } from "../../../../edits/files-at.ts";
import { withChangers } from "../../../../edits/named-refusals.ts";
import { patchName, patchOf, patchRoot, whyLeftOut } from "../../../../edits/patch.ts";
import type { PatchHunk } from "../../../../edits/patch-hunks.ts";
import { type Direction, type PutChange, putChanges } from "../../../../edits/put-change.ts";
import type { ChangedFile } from "../../../../edits/session-changes.ts";
import { basename } from "../../../../shared/paths.ts";
import type { TimeSlice } from "../../../../shared/steps.ts";
import { explain } from "../../../../store/files/store-error.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import { writeUnderFreeName } from "../../../../store/write/text-file.ts";
import { formatCounted, formatSize, shortenHome } from "../../../../ui/text/format.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { findOutsideProgram, isDirectoryAsync } from "../../../world/effects/find-program.ts";
import { modeFor } from "../../../world/effects/masked-share.ts";
import { lendTo, openCopy } from "../../../world/effects/open-copy.ts";
import { type EffectOf, expectErrors } from "../../../world/effects/runners.ts";
import { planPut } from "../../../world/effects/sessions/put-plan.ts";
import { putQuestion } from "../../../world/questions/put-question.ts";
import type { Action } from "../../../world/state/action.ts";

export interface Patch {
	readonly session: Session;
	readonly isRemote: boolean;
	readonly files: readonly ChangedFile[];
	/** What it is, as in "Copied … to the clipboard": "the patch of 3 files". */
	readonly what: string;
	/** Name of a file with it, without its ending. */
	readonly name: string;
}

export type ChangesEffect =
	/** Copy a patch, save it as a file under a free name, or show it in the person's pager. */
	| { readonly type: "take-patch"; readonly patch: Patch; readonly to: "clipboard" | "file" | "pager" }
	/** Show what taking changes back, or putting them in place, would do, and ask. `rows`: for files. */
	| {
			readonly type: "put-changes";
			readonly direction: Direction;
			readonly patch: Patch;
			readonly title: string;
			readonly commands: readonly RanCommand[];
			/** By the path of a file, changed lines of its hunks that are wanted; of other files all is. */
			readonly hunks: ReadonlyMap<string, readonly DiffLine[]>;
			readonly rows: number;
	  }
	/** Open a file of the person in the editor, at a line (from 1) if that is known. `path`: absolute; `cwd`: where the editor runs, if that exists. */
	| { readonly type: "edit-file"; readonly path: string; readonly line: number | undefined; readonly cwd: string }
	/** Show a file in the person's pager as it was when an entry of a session was written. */
	| { readonly type: "show-file-as-of"; readonly session: Session; readonly path: string; readonly entryId: string };

declare module "../../../world/state/effect.ts" {
	interface Effects {
		readonly changes: ChangesEffect;
	}
}

type Tools = Pick<Capabilities, "disk" | "terminal" | "store">;

export const CHANGES_EFFECTS = expectErrors<ChangesEffect["type"], Tools>({
	"take-patch": async ({ patch, to }, tools) => done(await takePatch(patch, to, tools)),
	"put-changes": putHere,
	"edit-file": async ({ path, line, cwd }, tools) => done(await editFile(path, line, cwd, tools)),
	"show-file-as-of": async ({ session, path, entryId }, tools) =>
		done(await showFileAsOf(session, path, entryId, tools)),
});

function done(message: Message | undefined): Action | undefined {
	return message && { type: "done", message };
}

async function putHere(
	{ direction, patch, title, commands, hunks, rows }: EffectOf<"put-changes">,
	tools: Tools,
): Promise<Action> {
	const wants = ({ path }: ChangedFile) => {
		const lines = hunks.get(path);
		return lines && ((hunk: PatchHunk) => lines.some((line) => hasLine(hunk, line)));
	};
	const { plan, context } = await planPut({ ...patch, direction, title, commands, wants, rows }, tools);
	const options = { home: tools.disk.home, rows: tools.store.rows() };
	const changes = direction === "revert" ? await withChangers(plan.changes, patch.session, options) : plan.changes;
	return { type: "ask", question: putQuestion({ ...plan, changes }, context) };
}

/** Of each file, the hunks of its change that are not in it now: their lines are as they were before. */
export async function hunksTakenBack(
	session: Session,
	files: readonly ChangedFile[],
	slice: TimeSlice,
): Promise<ReadonlyMap<ChangedFile, PutChange["present"]>> {
	const root = await patchRoot(session, false);
	const takenBack = new Map<ChangedFile, PutChange["present"]>();
	if (!(await isDirectoryAsync(root))) return takenBack;
	const read = readerOf(root, root);
	for (const file of files) {
		if (slice.shouldYield()) await slice.yieldToEventLoop();
		const [change] = await putChanges([file], { direction: "revert", read });
		if (change !== undefined && change.present.length > 0) takenBack.set(file, change.present);
	}
	return takenBack;
}

/** Whether a hunk shows a line, by its number in the old or the new file. */
export function hasLine({ old, now, lines }: PatchHunk, { before, after }: DiffLine): boolean {
	const [start, number, other] = after === undefined ? [old, before ?? 0, "added"] : [now, after, "removed"];
	return number >= start && number < start + lines.filter(({ kind }) => kind !== other).length;
}

async function takePatch(
	{ session, isRemote, files, what, name }: Patch,
	to: "clipboard" | "file" | "pager",
	tools: Tools,
): Promise<Message | undefined> {
	const { disk } = tools;
	const root = await patchRoot(session, isRemote);
	const below = files.filter(({ path }) => patchName(path, root) !== undefined);
	function* pieces(): Generator<string> {
		for (const file of below) yield patchOf(file, root);
	}
	const single = below.filter(({ answer }) => answer === "edits").length;
	const places = new Set(
		files
			.filter((file) => !below.includes(file))
			.map(({ path }) => whyLeftOut(path, root, shortenHome(root, disk.home))),
	);
	const elsewhere = [...places].join(" or ");
	const notes = [
		single === 0 ? "" : `${formatCounted(single, "file")} edit by edit, since the text is not known whole`,
		below.length === files.length ? "" : `without ${formatCounted(files.length - below.length, "file")} ${elsewhere}`,
	].filter((note) => note !== "");
	const noted = (message: Message): Message => ({ ...message, text: [message.text, ...notes].join(" · ") });
	if (below.length === 0) return { text: `Nothing to take: all of it is ${elsewhere}`, tone: "warning" };
	if (to === "clipboard") return noted(await copyText(pieces(), what, tools));
	if (to === "pager") return openCopy({ name: `${name}.patch`, pieces }, "pager", tools);
	try {
		const mode = await modeFor(session.path);
		const { path, size } = await writeUnderFreeName({ directory: disk.savesTo, name, ending: "patch", pieces, mode });
		return noted({ text: `Saved ${what} as ${shortenHome(path, disk.home)} (${formatSize(size)})`, tone: "text" });
	} catch (error) {
		throw new Error(`Cannot save ${what} in ${shortenHome(disk.savesTo, disk.home)}: ${explain(error)}`, {
			cause: error,
		});
	}
}

/** How editors are told a line: before the file, behind it, or as `code` does. */
const LINE_FORMS: readonly (readonly [names: RegExp, args: (path: string, line: number) => readonly string[]])[] = [
	[/^(?:n?vim?|view|nano|emacs|emacsclient|micro|kak|joe|ne|mg)$/, (path, line) => [`+${line}`, path]],
	[/^(?:hx|helix|subl|zed)$/, (path, line) => [`${path}:${line}`]],
	[/^(?:code|code-insiders|codium|cursor|windsurf)$/, (path, line) => ["-g", `${path}:${line}`]],
];

async function editFile(
	path: string,
	line: number | undefined,
	cwd: string,
	{ disk, terminal }: Tools,
): Promise<Message | undefined> {
	try {
		await stat(path);
	} catch (error) {
		const why = `Cannot open ${shortenHome(path, disk.home)}: ${explain(error)}`;
		return { text: `${why}; “Show this file as it was here” shows what it was`, tone: "warning" };
	}
	const program = await findOutsideProgram("editor", disk.env);
	if (typeof program === "string") return { text: program, tone: "error" };
	const editor = basename(program.name.split(/\s+/)[0] ?? "");
	const form = LINE_FORMS.find(([names]) => names.test(editor))?.[1];
	const args = line === undefined || form === undefined ? [path] : form(path, line);
	return lendTo(program, args, (await isDirectoryAsync(cwd)) ? cwd : disk.cwd, terminal);
}

async function showFileAsOf(
	session: Session,
	path: string,
	entryId: string,
	tools: Tools,
): Promise<Message | undefined> {
	const { disk, store } = tools;
	const options = { home: disk.home, rows: store.rows(), isRemote: store.rowOf(session.path)?.place !== undefined };
	const [file] = await knownFiles(() => [{ path, session, entryId }], session, options);
	const short = shortenHome(path, disk.home);
	if (file === undefined) return undefined;
	const { text, answer, why, isAbsent } = file.known;
	if (isAbsent) return { text: `${short} did not exist then`, tone: "warning" };
	if (text === undefined) return { text: `What ${short} held then is not known: ${why}`, tone: "warning" };
	const message = await openCopy({ name: basename(path), pieces: () => [text] }, "pager", tools);
	return message ?? (answer === "exact" ? undefined : { text: `${short} was likely so: ${why}`, tone: "warning" });
}
