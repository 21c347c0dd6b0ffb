import {
	archiveCounterpart,
	isArchived,
	isInSessionDir,
	withKnownProjects,
} from "../../catalog/model/session-roots.ts";
import { isMoved, moveSession } from "../../store/actions/move-session.ts";
import { isThere } from "../../store/files/paths.ts";
import { capital } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import { ALL, type ChangeKind, CLEAR, OF_SESSION, refuse, type SchemaType, type Subject, type Zod } from "./kind.ts";
import type { SessionsKind, Words } from "./sessions-kind.ts";

/** Moves a session into the archive, or out of it if `isBack`; `size`: of its file in bytes, as the person was shown it. */
interface MoveRequest {
	readonly type: "move";
	readonly path: string;
	readonly isBack: boolean;
	readonly size?: number | undefined;
}

/** The session will be moved from `path` to `to`: into the archive, or out of it. */
const planSchema = (z: Zod) => z.object({ type: z.literal("move"), path: z.string(), to: z.string() });

/** Undo moves the session from `to` back to `path`: out of the archive, or into it. */
const undoSchema = (z: Zod) => z.object({ type: z.literal("moved"), path: z.string(), to: z.string() });

export const MOVE: ChangeKind<MoveRequest, SchemaType<typeof planSchema>, SchemaType<typeof undoSchema>> = {
	...OF_SESSION,
	requests: { move: true },
	plan: "move",
	undo: "moved",
	planSchema,
	undoSchema,
	nameOf: ({ isBack }, title) => wordsOf(isBack, quote(title), 1).now,
	actOf: () => "take",
	begin({ path, isBack }, tools) {
		const sessionRoots = withKnownProjects(tools.sessionRoots);
		if (isBack && !isArchived(path, sessionRoots)) throw new Error("it is not in the archive");
		if (!isInSessionDir(path, sessionRoots))
			throw new Error("it is outside of the session directory, and the archive keeps only what is in there");
		return { type: "move", path, to: archiveCounterpart(path, sessionRoots) };
	},
	async make({ path, isBack, size }, { to }, title) {
		await moveSession(path, to, isBack ? "bring the session back" : "archive the session", size);
		const { past, undoing } = wordsOf(isBack, quote(title), 1);
		return { text: past, undo: { type: "moved", path, to }, ...(undoing !== undefined && { undoing }) };
	},
	recover: async ({ path, to }) => ((await isMoved(path, to)) ? { undo: { type: "moved", path, to } } : undefined),
	subjectsOf: bothPaths,
	plannedSubjects: bothPaths,
	undoActOf: ({ to }) => ({ act: "take", path: to }),
	async check({ path, to }, _, { sessionRoots }) {
		if (to !== archiveCounterpart(path, withKnownProjects(sessionRoots)))
			return refuse(`the journal names a file that is not where the archive has it: ${to}`);
		return (await isThere(path)) && !(await isThere(to)) ? { kind: "done" } : CLEAR;
	},
	async takeBack({ path, to }) {
		await moveSession(to, path, "move the session back");
		return {};
	},
	async checkAgain({ undo: { path, to } }) {
		if (!(await isThere(path))) return refuse("the session is not where it was");
		return (await isThere(to)) ? refuse("a file with that name is in its place") : CLEAR;
	},
	again({ undo: { path } }, { rowOf }) {
		const row = rowOf(path);
		if (row === undefined) throw new Error("the session is not in the list");
		const isBack = row.archived === true;
		return { type: "move", path, isBack, size: isBack ? undefined : row.size };
	},
};

/** Moves sessions into the archive, with the runs beside them. */
export const ARCHIVE: SessionsKind<{ readonly type: "archive" }> = {
	act: "take",
	words: (_, sessions, { count }) => wordsOf(false, sessions, count),
	make: (_, { row: { path, size } }, { makeOne }) => makeOne({ type: "move", path, isBack: false, size }),
	asks: {
		always: false,
		label: () => "Archive",
		participle: "archived",
		danger: false,
		careful: true,
		leavesOut: (_, { archived }) => (archived === true ? "in the archive" : undefined),
		runs: {
			go: "beside",
			note: (runs, isOneRun, isOne) =>
				`${capital(runs)} ${isOneRun ? "is" : "are"} archived with ${isOne ? "it" : "them"}.`,
		},
		notes(_, { length }) {
			const [stay, whom] = length === 1 ? ["It stays", "it"] : ["They stay", "them"];
			const text = `${stay} readable and searchable in the scope “archived”, and undo brings ${whom} back.`;
			return [{ text, tone: "muted" }];
		},
	},
};

/** Moves sessions out of the archive, with the runs beside them; never over an existing file. */
export const BRING_BACK: SessionsKind<{ readonly type: "bring-back" }> = {
	act: "take",
	words: (_, sessions, { count }) => wordsOf(true, sessions, count),
	make: (_, { row: { path } }, { makeOne }) => makeOne({ type: "move", path, isBack: true }),
	asks: {
		always: false,
		label: (_, count) => `Bring ${count === 1 ? "it" : "them"} back`,
		participle: "brought back",
		danger: false,
		careful: true,
		leavesOut: (_, { archived }) => (archived === true ? undefined : "not in the archive"),
		runs: {
			go: "beside",
			note: (runs, isOneRun, isOne) =>
				`${capital(runs)} ${isOneRun ? "comes" : "come"} back with ${isOne ? "it" : "them"}.`,
		},
	},
};

/** `sessions`: “Lexer”, or "12 sessions". */
function wordsOf(isBack: boolean, sessions: string, count: number): Words {
	return isBack
		? {
				now: `bring ${sessions} back from the archive`,
				past: `Brought ${sessions} back`,
				doing: "Bringing sessions back",
			}
		: {
				now: `archive ${sessions}`,
				past: `Archived ${sessions}`,
				doing: "Archiving sessions",
				undoing: `brings ${count === 1 ? "it" : "them"} back`,
			};
}

/** The session has one of these paths before the change, and the other after it. */
function bothPaths({ path, to }: { readonly path: string; readonly to: string }): readonly Subject[] {
	return [path, to].map((each) => ({ path: each, part: ALL }));
}
