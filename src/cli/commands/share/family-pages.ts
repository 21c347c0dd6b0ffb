import { existsSync } from "node:fs";
import { tookMs } from "../../../catalog/families/run.ts";
import { listAll } from "../../../catalog/list-all.ts";
import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { isSessionPath } from "../../../catalog/model/run-place.ts";
import { runsIn } from "../../../catalog/model/session-links.ts";
import { findSessionRoots } from "../../../catalog/model/session-roots.ts";
import { liveTest, runFacts } from "../../../catalog/session-runs.ts";
import { familyCosts } from "../../../catalog/stats/family-cost.ts";
import { countSome } from "../../../catalog/stats/stored-counts.ts";
import { placeRuns } from "../../../conversation/entries/place-runs.ts";
import { runOutcome } from "../../../conversation/entries/run-outcome.ts";
import { runTitle } from "../../../conversation/entries/session-title.ts";
import { anchorOf } from "../../../conversation/html/page-parts.ts";
import { excerptName } from "../../../conversation/markdown/excerpt.ts";
import type { SharedFamily } from "../../../conversation/share/shared-family.ts";
import { dirname, join, resolve } from "../../../shared/paths.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import { numbered } from "../../../store/write/text-file.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import type { ReadTarget, Target } from "../../find/find-target.ts";
import { withProgressNote } from "../../print/output.ts";

/** Sessions and their runs, whose pages name each other. */
export class FamilyPages {
	readonly #rows = new Map<string, SessionRow>();
	readonly #counts = new Map<string, SessionCounts>();
	readonly #names = new Map<string, string>();
	readonly #titles = new Map<string, string>();
	/** The entry at which a run stands in the page of its parent, by the path of the run. */
	readonly #anchors = new Map<string, string>();
	#runs: ReadonlyMap<string, readonly SessionRow[]> = new Map();
	#isLive: ReturnType<typeof liveTest> = () => false;

	/** Finds the runs of these sessions; those of one outside of all session directories are beside it. */
	async find(targets: readonly Target[], { sessionDir }: Arguments): Promise<void> {
		const ownRoots = await findSessionRoots({ sessionDir });
		const dirs = new Set(targets.map(({ path }) => (isSessionPath(path, ownRoots) ? sessionDir : dirname(path))));
		for (const dir of dirs) {
			const listing = { sessionDir: dir, archived: true, blocking: true };
			const rows = await withProgressNote(listAll(listing), () => "Listing …");
			for (const row of rows) this.#rows.set(row.path, row);
			this.#runs = runsIn([...this.#rows.values()]);
			const paths = targets.map(({ path }) => path);
			const family = new Set([...paths, ...this.pathsBelow(paths)]);
			// The session that asked for a run says its agent.
			for (const path of paths) family.add(this.#rows.get(path)?.run?.parent ?? path);
			const counts = await withProgressNote(countSome(family, listing, new TimeSlice()), () => "Counting …");
			for (const [path, one] of counts) this.#counts.set(path, one);
		}
		this.#isLive = liveTest(ownRoots);
	}

	pathsBelow(paths: readonly string[]): readonly string[] {
		return pathsBelow(paths, this.#runs);
	}

	/** The agent and the task of a run; undefined for any other session, and if nothing says its agent. */
	titleOf(path: string): string | undefined {
		const row = this.#rows.get(path);
		return row && runTitle(row, this.#counts.get(row.run?.parent ?? "")?.runs);
	}

	/** Chooses a free name in a directory for the page of a session, before any page is written. `title`: masked. */
	name(path: string, title: string, directory: string): void {
		const name = excerptName({ of: "branch", title, entryId: "" });
		const usedNames = new Set(this.#names.values());
		let number = 1;
		const isTaken = (one: string): boolean => usedNames.has(one) || existsSync(join(resolve(directory), `${one}.html`));
		while (isTaken(numbered(name, number))) number += 1;
		this.#names.set(path, numbered(name, number));
		this.#titles.set(path, title);
	}

	/** The name of the page of a session, without its extension; undefined if none was chosen. */
	nameOf(path: string): string | undefined {
		return this.#names.get(path);
	}

	/** What the page of a session says of its runs, and of the session that asked for it, if their pages have names. */
	familyOf({ path, session }: ReadTarget): SharedFamily {
		const runs = this.#runs.get(path) ?? [];
		const counts = this.#counts.get(path);
		const families = {
			runsOf: (at: string) => this.#runs.get(at) ?? [],
			countsOf: (at: string) => this.#counts.get(at),
		};
		const costs = new Map(
			familyCosts(path, families)
				.get(path)
				?.runs.map((cost) => [keyOf(cost.runs[0]), cost.total.cost]),
		);
		const parent = this.#rows.get(path)?.run?.parent ?? "";
		const placed = placeRuns(session, runs, counts?.runs ?? []).map(({ entryId, run }) => {
			const ownPath = run.session?.path;
			const facts = runFacts(run, ownPath === undefined ? undefined : this.#counts.get(ownPath), path, this.#isLive);
			if (ownPath !== undefined) this.#anchors.set(ownPath, anchorOf(entryId, session));
			const { agent, state } = facts;
			const task = facts.task || (run.session === undefined ? "" : (this.titleOf(run.session.path) ?? ""));
			const came = runOutcome({ state, tookMs: tookMs(facts) })
				.map(({ text }) => text)
				.join("");
			return { entryId, agent, task, came, cost: costs.get(keyOf(run)) ?? 0, page: this.#pageOf(ownPath) };
		});
		const above = this.#pageOf(parent);
		const anchor = this.#anchors.get(path);
		const page = above === undefined || anchor === undefined ? above : `${above}#${anchor}`;
		const title = this.#titles.get(parent) ?? "";
		return { runs: placed, ...(page !== undefined && { parent: { page, title } }) };
	}

	/** The address of a page from another one in the same directory. */
	#pageOf(path: string | undefined): string | undefined {
		const name = this.#names.get(path ?? "");
		return name === undefined ? undefined : `${encodeURIComponent(name.toWellFormed())}.html`;
	}
}

/** The paths of all runs below sessions with these paths. `runs`: by the path of the session that started them. */
export function pathsBelow(
	paths: readonly string[],
	runs: ReadonlyMap<string, readonly Pick<SessionRow, "path">[]>,
): readonly string[] {
	const all = new Set(paths);
	// Grows while it is read.
	for (const path of all) for (const run of runs.get(path) ?? []) all.add(run.path);
	return [...all.difference(new Set(paths))];
}

function keyOf(run: { readonly session: SessionRow | undefined; readonly report: object | undefined } | undefined) {
	return run?.session ?? run?.report;
}
