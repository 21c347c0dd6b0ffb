import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import type { FilesAt } from "../../edits/files-at.ts";
import { trashSession } from "../../store/actions/trash.ts";
import { isThere } from "../../store/files/paths.ts";
import { readHeld } from "../../store/held/hold-session.ts";
import { formatCounted, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import { changedSince, removeDirectory } from "../checkout/made-directory.ts";
import {
	checksum,
	type FileToWrite,
	holderFor,
	makeDirectory,
	NO_FILE,
	requireFree,
} from "../checkout/make-directory.ts";
import { isEmptyDirectory } from "../checkout/unfinished.ts";
import { CREATED, dirFor } from "./copy.ts";
import { ALL, type ChangeKind, CLEAR, refuse, type SchemaType, type Subject, type Zod } from "./kind.ts";

/** Makes a directory with the files as they were when an entry of a session was written. */
export interface CheckoutRequest {
	readonly type: "checkout";
	/** Path of the session; "" for one that is not on this machine. */
	readonly path: string;
	readonly title: string;
	readonly entryId: string;
	/** The directory, absolute. */
	readonly into: string;
	/** The repository of which it is a worktree, and the commit; undefined for a directory without Git. */
	readonly repository?: string | undefined;
	readonly commit?: string | undefined;
	/** The directory of the session, relative to the new one. */
	readonly inside: string;
	readonly files: readonly FileToWrite[];
	/** Whether the session is branched at the entry into a new one, whose directory it is. */
	readonly branches: boolean;
}

/** The request that makes a directory with these files. */
export function checkoutOf(
	{ base, inside, files }: FilesAt,
	rest: Omit<CheckoutRequest, "type" | "repository" | "commit" | "inside" | "files">,
): CheckoutRequest {
	const changes = files.flatMap(({ name, text, isAbsent }) =>
		text === undefined && !isAbsent ? [] : [{ name, text: text ?? null }],
	);
	return { type: "checkout", ...rest, repository: base?.repository, commit: base?.commit, inside, files: changes };
}

/**
 * The directory will be made in `holder`, and moved to `into`, with `files` (checksums by name); `dir`: where a new session will be, if
 * there will be one.
 */
const planSchema = (z: Zod) =>
	z.object({
		type: z.literal("checkout"),
		path: z.string(),
		entryId: z.string(),
		into: z.string(),
		holder: z.string(),
		repository: z.string().optional(),
		commit: z.string().optional(),
		files: z.record(z.string(), z.string()),
		dir: z.string().optional(),
	});

/**
 * Undo removes the directory; `files`: the checksums of those that were written. `path`: the new session, which goes to the trash, and
 * `size`: of its file in bytes when it was made; "" and 0 if there is none.
 */
const undoSchema = (z: Zod) =>
	z.object({
		type: z.literal("checked-out"),
		path: z.string(),
		size: z.number(),
		into: z.string(),
		repository: z.string().optional(),
		commit: z.string().optional(),
		files: z.record(z.string(), z.string()),
	});

type Undo = SchemaType<typeof undoSchema>;

export const CHECKOUT: ChangeKind<CheckoutRequest, SchemaType<typeof planSchema>, Undo> = {
	requests: { checkout: true },
	plan: "checkout",
	undo: "checked-out",
	planSchema,
	undoSchema,
	pathOf: ({ path }) => path,
	nameOf: ({ title, into }) => `check out the files of ${quote(title)} into ${shortenHome(into, homedir())}`,
	titleAt: 0,
	actOf: () => undefined,
	async begin({ path, entryId, into, inside, repository, commit, files, branches }, { sessionRoots }) {
		await requireFree(into);
		const git = repository === undefined || commit === undefined ? {} : { repository, commit };
		const dir = branches ? { dir: dirFor(directoryOf(into, inside), sessionRoots) } : {};
		const checksums = Object.fromEntries(
			files.map(({ name, text }) => [name, text === null ? NO_FILE : checksum(text)]),
		);
		return { type: "checkout", path, entryId, into, holder: holderFor(into), ...git, files: checksums, ...dir };
	},
	async make({ path, title, entryId, inside, files }, plan, _, { store, stateDir }) {
		const { into, repository, commit, dir } = plan;
		const { files: checksums, unwritten } = await makeDirectory(plan, { files, inside }, stateDir);
		const directory = { into, repository, commit, files: checksums };
		try {
			const session =
				dir === undefined ? undefined : await branched(path, entryId, dir, directoryOf(into, inside), store);
			const { created = "", sayAgain } = session ?? {};
			const size = created === "" ? 0 : (await stat(created)).size;
			const what = `${formatCounted(files.length - unwritten.length, "file")} of ${quote(title)}`;
			const rest = unwritten.length === 0 ? "" : `; not written: ${unwritten.join("; ")}`;
			return {
				text: `Made ${shortenHome(into, homedir())}, with ${what} as of then${rest}`,
				undo: { type: "checked-out", path: created, size, ...directory },
				undoing: "removes it",
				sayAgain,
				...(created !== "" && { created }),
			};
		} catch (error) {
			await removeDirectory(directory, stateDir);
			throw error;
		}
	},
	async recover({ path, into, repository, commit, files, dir }, at, { changes }, { store }) {
		const isMade = (await isThere(into)) && !(await isEmptyDirectory(into));
		if (!isMade) return undefined;
		const knownPaths = new Set(changes.flatMap(({ undo }) => undo?.path ?? []));
		const session = dir === undefined ? undefined : await store.run("findCreated", path, dir, at, knownPaths);
		const undo = { path: session?.path ?? "", size: session?.size ?? 0, into, repository, commit, files };
		return { undo: { type: "checked-out", ...undo } };
	},
	subjectsOf: ({ path, into }) => subjectsOf(path, into),
	plannedSubjects: ({ into }) => subjectsOf("", into),
	undoActOf: ({ path }) => (path === "" ? undefined : { act: "take", path }),
	async check(undo, ownEntries, tools) {
		const { path, size, into } = undo;
		const ofSession = path === "" ? undefined : await CREATED.check({ type: "created", path, size }, ownEntries, tools);
		if (ofSession?.kind === "refuse") return ofSession;
		if (!(await isThere(into))) return ofSession ?? { kind: "done" };
		const why = await changedSince(undo);
		if (why !== undefined) return refuse(`${why}; remove ${into} yourself if you do not need it`);
		return ofSession?.kind === "ask" ? ofSession : CLEAR;
	},
	async takeBack(undo, { stateDir }) {
		if (await isThere(undo.into)) await removeDirectory(undo, stateDir);
		const hasSession = undo.path !== "" && (await isThere(undo.path));
		return hasSession ? { receipt: await trashSession(undo.path) } : {};
	},
	shownAfter: ({ plan }) => plan?.path || undefined,
	async checkAgain({ plan }) {
		if (plan === undefined || plan.path === "") return refuse("its session is not on this machine");
		if (!(await isThere(plan.path))) return refuse("the session is gone");
		return requireFree(plan.into).then(
			() => CLEAR,
			(error: Error) => refuse(error.message),
		);
	},
	async again({ plan, what }, { sessionRoots }) {
		if (plan === undefined) throw new Error("the journal does not say how it was made");
		const sessionDir = sessionRoots.kind === "custom" ? { sessionDir: sessionRoots.dir } : {};
		// Only here: they need all that finds edits.
		const { listAll } = await import("../../catalog/list-all.ts");
		const { filesAtEntry } = await import("../../edits/files-at.ts");
		const rows = await listAll({ ...sessionDir, archived: true });
		const files = await filesAtEntry(await readHeld(plan.path), plan.entryId, { home: homedir(), rows });
		const title = /“(.*?)”/.exec(what)?.[1] ?? "";
		const { path, entryId, into, dir } = plan;
		return checkoutOf(files, { path, title, entryId, into, branches: dir !== undefined });
	},
	deedOf: ({ undo, plan }, home) => {
		const into = plan?.into ?? undo?.into;
		return ["check out", into === undefined ? "its files" : `its files into ${shortenHome(into, home)}`];
	},
};

function directoryOf(into: string, inside: string): string {
	return inside === "" ? into : `${into}/${inside}`;
}

/** Changes of the new session depend on it. */
function subjectsOf(path: string, into: string): readonly Subject[] {
	const directory = { path: "", part: `directory ${into}` };
	return path === "" ? [directory] : [directory, { path, part: ALL }];
}

/** Branches the session, for the new directory; where pi says a prompt again, it goes on before it, and the prompt's text is returned. */
async function branched(
	path: string,
	entryId: string,
	dir: string,
	cwd: string,
	store: Parameters<typeof CREATED.check>[2]["store"],
): Promise<{ readonly created: string; readonly sayAgain: string | undefined }> {
	const created = await store.run("branchSession", path, entryId, dir, cwd);
	const { text } = await store.run("resumePoint", created, entryId);
	return { created, sayAgain: text };
}
