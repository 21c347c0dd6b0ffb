import { type ComparedEnd, type Comparison, compareEnds } from "../../../../conversation/branches/compare-ends.ts";
import { placeOf, shortFile } from "../../../../conversation/entries/place.ts";
import type { DiffLine } from "../../../../conversation/render/diff-lines.ts";
import { wholeDiff } from "../../../../conversation/render/edit-lines.ts";
import { loadRenderers, type Renderers } from "../../../../conversation/render/renderers.ts";
import { editDiff } from "../../../../edits/edit-diff.ts";
import { knownFiles } from "../../../../edits/files-at.ts";
import type { Known } from "../../../../edits/known.ts";
import { gatherEdits, type SessionEdit } from "../../../../edits/session-files.ts";
import type { Steps } from "../../../../shared/steps.ts";
import { toolPath } from "../../../../store/format/tool-change.ts";
import { readHeld } from "../../../../store/held/hold-session.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import type { LoadTools } from "../../../world/effects/define-query.ts";

/** An end that the person has chosen. */
interface NamedEnd {
	/** Path of its session. */
	readonly path: string;
	/** Id of its last entry; undefined: the leaf of the session. */
	readonly entryId: string | undefined;
}

export type NamedEnds = readonly [NamedEnd, NamedEnd];

export interface ComparisonKey {
	readonly ends: NamedEnds;
	/** The open session, if it is one of theirs. */
	readonly open: Session | undefined;
	/** The last comparison of these ends: a session of theirs that is not open is not read again. */
	readonly last: Comparison | undefined;
}

export async function loadComparison(
	{ ends, open, last }: ComparisonKey,
	{ store, disk, slice, signal }: LoadTools<Comparison>,
): Promise<Comparison> {
	const sessions = new Map(last?.ends.map(({ session }) => [session.path, session]));
	if (open !== undefined) sessions.set(open.path, open);
	const sessionAt = async (path: string): Promise<Session> => {
		const session = sessions.get(path) ?? {
			...(await readHeld(await store.places.fileOf(path, signal), { signal })),
			path,
		};
		sessions.set(path, session);
		return session;
	};
	const [one, other] = ends;
	const first = { session: await sessionAt(one.path), entryId: one.entryId };
	const second = { session: await sessionAt(other.path), entryId: other.entryId };
	return slice.run(compareEnds([first, second], disk.home));
}

/** A file at both ends. */
export interface FileDifference {
	/** Relative to the directory of the session. */
	readonly path: string;
	/** How sure the diff is: it is of the whole file, perhaps of the whole, or of single edits, because the file is not known whole. */
	readonly kind: "exact" | "likely" | "edits";
	/** Why it is not exact, in sentences. */
	readonly notes: readonly string[];
	/** One without a title of the whole file, or one for each edit since the paths parted. None: the file is the same. */
	readonly diffs: readonly { readonly title: string; readonly lines: readonly DiffLine[] }[];
	/** The edits since then at each end. */
	readonly edits: readonly [readonly SessionEdit[], readonly SessionEdit[]];
}

/** The files that one or both have changed, as far as they have been compared. */
export interface Difference {
	readonly files: readonly FileDifference[];
	readonly total: number;
	readonly renderers: Renderers;
}

/** Compares the files that were changed at one end or both since their paths parted; reports each as soon as it is known. */
export async function loadDifference(
	{ ends }: Comparison,
	{ disk: { home }, store, slice, report }: LoadTools<Difference>,
): Promise<Difference> {
	const renderers = await loadRenderers();
	const edits = [await slice.run(editsOf(ends[0], home)), await slice.run(editsOf(ends[1], home))] as const;
	const paths = [...new Set(edits.flatMap((ofEnd) => [...ofEnd.keys()]))];
	const isRemote = store.rowOf(ends[0].session.path)?.place !== undefined;
	const options = { home, rows: store.rows(), isRemote, slice, together: [ends[1].session] };
	const requests = ends.flatMap((end, index) => requestsAt(end, paths, edits[index === 0 ? 0 : 1], home));
	const answers = await knownFiles(() => requests, ends[0].session, options);
	const states = [0, paths.length].map((from) => new Map(paths.map((path, at) => [path, answers[from + at]?.known])));
	const files: FileDifference[] = [];
	for (const path of paths) {
		const ofFile = [edits[0].get(path) ?? [], edits[1].get(path) ?? []] as const;
		const [one, other] = states.map((state) => state.get(path));
		if (one === undefined || other === undefined) continue;
		const difference = await slice.run(differenceOf([one, other], ends, ofFile, renderers, home));
		files.push({ path, edits: ofFile, ...difference });
		report({ files: [...files], total: paths.length, renderers });
	}
	return { files, total: paths.length, renderers };
}

/** The edits of an end since the paths parted, by the path of the file that is shown. */
function* editsOf({ session, entryId, rest }: ComparedEnd, home: string) {
	const { edits } = yield* gatherEdits(session, home, entryId);
	const ids = new Set(rest.map(({ id }) => id));
	const place = placeOf(session, home);
	return Map.groupBy(
		edits.filter((edit) => ids.has(edit.entryId)),
		({ path }) => shortFile(path, place),
	);
}

/** The files of these paths at an end: relative to the directory of its session, if they are below that. */
function requestsAt(
	{ session, entryId }: ComparedEnd,
	paths: readonly string[],
	edits: ReadonlyMap<string, readonly SessionEdit[]>,
	home: string,
) {
	const cwd = session.header?.cwd ?? "";
	return paths.map((path) => {
		const file = edits.get(path)?.[0]?.path ?? toolPath(path, cwd, home) ?? path;
		return { path: file, session, entryId };
	});
}

function* differenceOf(
	states: readonly [Known, Known],
	ends: Comparison["ends"],
	edits: FileDifference["edits"],
	renderers: Renderers,
	home: string,
): Steps<Pick<FileDifference, "kind" | "notes" | "diffs">> {
	const doubts = states.flatMap(({ answer, why }, index) =>
		answer === "exact" || why === "" ? [] : [`at end ${index + 1}, ${why}`],
	);
	const absences = states.flatMap(({ isAbsent }, index) =>
		isAbsent ? [`It does not exist at end ${index + 1}.`] : [],
	);
	const isKnown = states.every(({ answer }) => answer !== "unknown");
	const [text = "", otherText = ""] = states.map((state) => state.text);
	const lines = isKnown ? wholeDiff(text, otherText, renderers) : undefined;
	if (lines !== undefined)
		return {
			kind: doubts.length === 0 ? "exact" : "likely",
			notes: [...absences, ...doubts.map((doubt) => `Possibly different: ${doubt}.`)],
			diffs: lines.length === 0 ? [] : [{ title: "", lines }],
		};
	const diffs: FileDifference["diffs"][number][] = [];
	for (const index of [0, 1] as const) {
		for (const edit of edits[index]) {
			const title = `end ${index + 1} · turn ${edit.turn} · ${edit.tool}`;
			diffs.push({ title, lines: editDiff(edit, ends[index].session, renderers, home) });
			yield;
		}
	}
	const [one, other] = states;
	const isSame = one.answer === other.answer && one.why === other.why;
	const reasons = isSame ? [`at both ends, ${one.why}`] : doubts;
	const why = isKnown
		? ["Too much of it differs to be compared."]
		: reasons.map((reason) => `Not known whole: ${reason}.`);
	return { kind: "edits", notes: [...why, "These are the edits since the two parted."], diffs };
}
