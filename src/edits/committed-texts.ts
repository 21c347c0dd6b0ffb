import { isUtf8 } from "node:buffer";
import type { TimeSlice } from "../shared/steps.ts";
import { isUnder } from "../store/files/paths.ts";
import type { Session } from "../store/read/read-session.ts";
import type { StartText } from "./follow-files.ts";
import { filesAt, type GitBase, gitBases } from "./git-base.ts";
import { type ChangeSpan, type ChangesOptions, type SessionChanges, sessionChanges } from "./session-changes.ts";

/**
 * What a session of this machine changed. What a file held before its first change is taken from the commit that was checked out then,
 * where the session does not show it; such a text is likely, if the edits fit it.
 */
export async function changesFromCommits(
	session: Session,
	span: ChangeSpan,
	options: ChangesOptions,
	slice: TimeSlice,
): Promise<SessionChanges> {
	const changes = await slice.run(sessionChanges(session, span, options));
	const files = changes.files.filter(
		({ answer, before, isSeenLate }) => (answer !== "exact" && before === undefined) || isSeenLate === true,
	);
	const cwd = session.header?.cwd ?? "";
	if (files.length === 0 || cwd === "") return changes;
	const firstChanges = files.map(({ path, firstMs, edits }) => ({ path, firstMs, isEdit: edits[0]?.tool === "edit" }));
	const starts = await committedTexts(firstChanges, await gitBases(cwd));
	if (starts.size === 0) return changes;
	const paths = new Set(starts.keys());
	const likely = await slice.run(sessionChanges(session, span, { ...options, starts, paths }));
	const better = new Map(
		likely.files.flatMap((file) => {
			const isBetter = file.answer !== "edits" || starts.get(file.path)?.isBinary === true;
			return isBetter ? [[file.path, file] as const] : [];
		}),
	);
	return { ...changes, files: changes.files.map((file) => better.get(file.path) ?? file), starts };
}

/** The first change that a session made to a file. */
export interface FirstChange {
	/** Absolute. */
	readonly path: string;
	/** Unix ms; NaN if the file does not say. */
	readonly firstMs: number;
	/** Whether it was an edit, which needs a file. */
	readonly isEdit: boolean;
}

/**
 * The texts of files in the commits that were checked out when a session first changed them; none outside of a repository. `inClone`: the
 * path in a clone of the repository, if that is asked instead; undefined for a file outside of it.
 */
export async function committedTexts(
	files: readonly FirstChange[],
	baseAt: (timeMs: number) => Promise<GitBase | undefined>,
	inClone: (path: string) => string | undefined = (path) => path,
): Promise<ReadonlyMap<string, StartText>> {
	const starts = new Map<string, StartText>();
	const byCommit = new Map<string, { readonly base: GitBase; readonly files: (FirstChange & { place: string })[] }>();
	for (const file of files) {
		const base = Number.isNaN(file.firstMs) ? undefined : await baseAt(file.firstMs);
		const place = inClone(file.path);
		if (base === undefined || place === undefined || !isUnder(place, base.root)) continue;
		const ofCommit = byCommit.get(base.commit) ?? { base, files: [] };
		byCommit.set(base.commit, ofCommit);
		ofCommit.files.push({ ...file, place });
	}
	for (const { base, files: some } of byCommit.values()) {
		const contents = await filesAt(
			base,
			some.map(({ place }) => place),
		);
		for (const { path, place, isEdit } of some) {
			const bytes = contents.get(place);
			const text = bytes && isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : undefined;
			// Git may ignore what was there, but an edit needs a file.
			if (bytes === undefined && isEdit) continue;
			starts.set(path, { text, ...reasonOf(base, bytes, text) });
		}
	}
	return starts;
}

function reasonOf(
	{ commit, how }: GitBase,
	bytes: Uint8Array | undefined,
	text: string | undefined,
): Pick<StartText, "why" | "isBinary"> {
	const which = `commit ${commit.slice(0, 7)}, which was ${how === "reflog" ? "checked out" : "the newest one"} then`;
	if (bytes === undefined) return { why: `it is not in ${which}` };
	if (text === undefined) return { why: `it is no text in ${which}`, isBinary: true };
	return { why: `the text before its first change is that of ${which}` };
}
