import type { SessionRow } from "../../../../catalog/model/row.ts";
import { type EditTurn, editTurn, readTurns, turnKey } from "../../../../edits/edit-turns.ts";
import { blameShown, type ShownAuthors, type ShownLines } from "../../../../edits/shown-lines.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import type { LoadTools } from "../../../world/effects/define-query.ts";
import { findProgram } from "../../../world/effects/find-program.ts";
import { readOther } from "../../../world/effects/read-other.ts";
import { expectErrors } from "../../../world/effects/runners.ts";

export interface LinesFound {
	/** Number of sessions searched, of `total`. */
	readonly searched: number;
	readonly total: number;
	/** Undefined while they are being searched. */
	readonly authors?: ShownAuthors;
	/** By the session and the entry of an edit (`turnKey`). */
	readonly turns: ReadonlyMap<string, EditTurn>;
}

/** The lines, and all sessions by path. */
export interface BlameRequest {
	readonly asked: ShownLines;
	readonly rows: ReadonlyMap<string, SessionRow>;
}

/** Finds who wrote the lines; what the open session itself shows is reported first. */
export async function findAuthors(
	{ asked, rows }: BlameRequest,
	{ store, disk, slice, signal, report }: LoadTools<LinesFound>,
): Promise<LinesFound> {
	const here = [...rows.values()].filter(({ place }) => place === undefined);
	const total = asked.place === undefined ? here.length : 0;
	const { session, lines } = asked;
	const addedBy = new Set(lines.flatMap((line) => line.addedBy ?? []));
	const ownTurns = new Map(
		[...addedBy].map((id) => [turnKey({ session: session.path, entryId: id }), editTurn(session, id)]),
	);
	report({ searched: 0, total, turns: ownTurns });
	const onProgress = (searched: number): void => report({ searched, total, turns: ownTurns });
	const authors = await blameShown(asked, { rows: here, home: disk.home, slice, signal, onProgress });
	const edits = authors.authors.values().flatMap((author) => author.edits);
	const turns = await readTurns(edits, async (path) =>
		path === session.path ? session : readOther(path, store, signal),
	);
	return { searched: total, total, authors, turns };
}

export const BLAME_EFFECTS = expectErrors<"show-commit", Pick<Capabilities, "disk" | "terminal">>({
	/** Show a commit as Git does, in the pager of the person. */
	async "show-commit"({ repository, hash }, { disk, terminal }) {
		const git = await findProgram("git", disk.env);
		if (git === undefined) throw new Error('Cannot open the commit: there is no program "git" on the PATH');
		// A short commit must not be gone as soon as it is shown, as with the options that Git has for its pager.
		const env = { ...disk.env, LESS: disk.env.LESS ?? "R" };
		const args = ["show", "--stat", "--patch", hash, "--"];
		const end = await terminal.lend({ command: git, args, cwd: repository, env });
		if (end === undefined || "code" in end) return undefined;
		throw new Error(`Cannot open the commit ${hash.slice(0, 8)}: ${end.failure}`);
	},
});

declare module "../../../world/state/effect.ts" {
	interface Effects {
		readonly blame: { readonly type: "show-commit"; readonly repository: string; readonly hash: string };
	}
}
