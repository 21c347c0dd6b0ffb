import { stat } from "node:fs/promises";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { dirname } from "../../shared/paths.ts";
import { isInTrash, trashSession } from "../../store/actions/trash.ts";
import { isThere } from "../../store/files/paths.ts";
import { defaultSessionDir, projectSessionDir } from "../../store/read/session-dir.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import {
	ALL,
	type ChangeKind,
	type ChangeResult,
	CLEAR,
	type KindTools,
	type MadeChange,
	type Outlook,
	refuse,
	type SchemaType,
	type Zod,
} from "./kind.ts";
import type { ChangeRequest } from "./kinds.ts";
import { hasGoneOn, refuseGoneOn } from "./shared-checks.ts";

/** Copies the path to an entry into a new session. */
interface BranchRequest {
	readonly type: "branch";
	readonly path: string;
	readonly entryId: string;
}

/** Copies all of a session into a new one, for the project `cwd`. */
interface ForkRequest {
	readonly type: "fork";
	readonly path: string;
	readonly cwd: string;
}

/** Makes a repaired copy of one of the sessions in a damaged file, beside it. */
interface RepairRequest {
	readonly type: "repair";
	readonly path: string;
	/** Which of the sessions in the file. */
	readonly index: number;
}

/**
 * There will be a new session in `dir` with `path` as its parent session: the path to `entryId`, or all of it for the
 * project `cwd`. Earlier versions recorded neither, and a repaired copy has neither.
 */
const planSchema = (z: Zod) =>
	z.object({
		type: z.literal("create"),
		path: z.string(),
		dir: z.string(),
		entryId: z.string().optional(),
		cwd: z.string().optional(),
	});

/** Undo moves the new session to the trash; `size`: of its file in bytes when it was made. */
const undoSchema = (z: Zod) => z.object({ type: z.literal("created"), path: z.string(), size: z.number() });

type Plan = SchemaType<typeof planSchema>;
type Undo = SchemaType<typeof undoSchema>;

/** What all changes have in common that are undone by moving the new session to the trash. */
export const CREATED: Pick<
	ChangeKind<never, Plan, Undo>,
	"undo" | "undoSchema" | "subjectsOf" | "undoActOf" | "check" | "takeBack"
> = {
	undo: "created",
	undoSchema,
	subjectsOf: ({ path }) => [{ path, part: ALL }],
	undoActOf: ({ path }) => ({ act: "take", path }),
	async check({ path, size }, ownEntries, { store }) {
		if (!(await isThere(path))) return { kind: "done" };
		const { since } = await store.run("sessionNow", path, { fromByte: size, own: ownEntries });
		if (hasGoneOn(since)) return refuseGoneOn(since);
		if (since.marks === 0) return CLEAR;
		return { kind: "ask", why: "Since then another program has named it, or labeled something in it." };
	},
	takeBack: async ({ path }) => ({ receipt: await trashSession(path) }),
};

export const COPY: ChangeKind<BranchRequest | ForkRequest | RepairRequest, Plan, Undo> = {
	...CREATED,
	requests: { branch: true, fork: true, repair: true },
	plan: "create",
	planSchema,
	pathOf: ({ path }) => path,
	nameOf: ({ type }, title) => `${type} ${quote(title)} into a new session`,
	titleAt: 0,
	actOf: () => undefined,
	begin: (request, tools) => {
		const { path } = request;
		if (request.type === "branch")
			return { type: "create", path, dir: dirForBranch(path, tools), entryId: request.entryId };
		if (request.type === "repair") return { type: "create", path, dir: dirname(path) };
		const { cwd } = request;
		return { type: "create", path, dir: dirFor(cwd, tools.sessionRoots), cwd };
	},
	async make(request, { dir }, title, { store }) {
		if (request.type === "branch")
			return created(
				await store.run("branchSession", request.path, request.entryId, dir),
				`Branched ${quote(title)} into a new session`,
			);
		if (request.type === "repair")
			return created((await store.run("repairBeside", request.path, request.index)).path, `Repaired ${quote(title)}`);
		return created(
			await store.run("forkSession", request.path, request.cwd, dir),
			`Forked ${quote(title)} into a new session`,
		);
	},
	async recover({ path, dir }, at, { changes }, { store }) {
		const knownPaths = new Set(changes.flatMap(({ undo }) => (undo?.type === "created" ? [undo.path] : [])));
		const file = await store.run("findCreated", path, dir, at, knownPaths);
		return file && { undo: { type: "created", ...file } };
	},
	// The path of a copy is not known before it is made.
	plannedSubjects: () => [],
	shownAfter: ({ plan }) => plan?.path,
	async checkAgain({ plan, undo, receipt }) {
		const back = await checkBack(undo.path, receipt);
		if (back !== undefined) return back;
		if ((plan?.entryId ?? plan?.cwd) === undefined) return refuse("the session that it made is no longer in the trash");
		return (await isThere(plan?.path ?? ""))
			? { kind: "ask", why: "The session that it made is no longer in the trash: this makes a new copy." }
			: refuse("the session that it copied is gone");
	},
	async again(change) {
		const restoring = await restoreAgain(change);
		if (restoring !== undefined) return restoring;
		const { path, entryId, cwd } = change.plan ?? {};
		if (path !== undefined && entryId !== undefined) return { type: "branch", path, entryId };
		if (path !== undefined && cwd !== undefined) return { type: "fork", path, cwd };
		throw new Error("the journal does not say how it was made");
	},
	deedOf({ plan, what }, home) {
		if (plan?.cwd !== undefined) return ["fork", `into ${shortenHome(plan.cwd, home)}`];
		// "branch “Lexer” into a new session", in all versions.
		return [what.slice(0, what.indexOf(" ")), "into a new session"];
	},
};

/** Whether a session that an undo moved to the trash can come back from there; undefined if it is no longer there. */
export async function checkBack(
	path: string,
	receipt: MadeChange<Plan, Undo>["receipt"],
): Promise<Outlook | undefined> {
	if (await isThere(path)) return refuse("a file with that name is in its place");
	return receipt !== undefined && (await isInTrash(receipt)) ? CLEAR : undefined;
}

/** The request that restores a session that an undo moved to the trash; undefined if it is no longer there. */
export async function restoreAgain({
	undo,
	what,
	receipt,
}: MadeChange<unknown, Undo>): Promise<Extract<ChangeRequest, { type: "restore" }> | undefined> {
	if (receipt === undefined || !(await isInTrash(receipt))) return undefined;
	// The description of the change quotes the title.
	const title = /“(.*?)”/.exec(what)?.[1] ?? "";
	return { type: "restore", path: undo.path, title, receipt };
}

/** The directory of new sessions of the project `cwd`, in which pi looks for them there. */
export function dirFor(cwd: string, sessionRoots: SessionRoots): string {
	if (sessionRoots.kind === "custom") return sessionRoots.dir;
	const projectDir = sessionRoots.projectDirs === undefined ? undefined : projectSessionDir(cwd);
	return projectDir ?? defaultSessionDir(cwd, sessionRoots.agentDir);
}

/** The directory of a branch: beside the session, except for a run, since pi lists nothing in the directory of runs. */
function dirForBranch(path: string, { rowOf, sessionRoots }: Pick<KindTools, "rowOf" | "sessionRoots">): string {
	const row = rowOf(path);
	return row?.run === undefined || row.cwd === "" ? dirname(path) : dirFor(row.cwd, sessionRoots);
}

async function created(path: string, text: string): Promise<ChangeResult<Undo>> {
	return { text, undo: { type: "created", path, size: (await stat(path)).size }, created: path };
}
