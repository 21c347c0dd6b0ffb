import { sep } from "node:path";
import type { LiveReport } from "../../../catalog/model/live.ts";
import { isSession, type SessionRow, whyNotASession } from "../../../catalog/model/row.ts";
import { familyDirectory } from "../../../catalog/model/run-place.ts";
import { guard, type Shown, takeable, type Verdict } from "../../../changes/guard/guard.ts";
import { whyNot } from "../../../changes/guard/guard-words.ts";
import { memoLast } from "../../../shared/memo.ts";
import { projectKey } from "../../../store/files/paths.ts";
import { familiesOf, headOf, runsBelow } from "../../world/list/families.ts";
import type { Move } from "../../world/state/overlays.ts";

/** Why a session is not forked. */
export type Hindrance =
	/** It already belongs to that directory. */
	| { readonly kind: "same" }
	| { readonly kind: "forked" }
	| { readonly kind: "in-use"; readonly verdict: Verdict }
	/** pi cannot open it; a sentence says why. */
	| { readonly kind: "no-session"; readonly why: string };

export interface LeftOut extends Move {
	readonly hindrance: Hindrance;
}

/** What a move would do: a dry run. */
export interface MovePlan {
	readonly moves: readonly (Move & Shown)[];
	readonly left: readonly LeftOut[];
	/** The runs of these sessions that can be copied along. */
	readonly runs: readonly RunMove[];
}

/** A run of subagents that goes where its session goes. */
interface RunMove extends Move, Shown {
	/** Path of the session at the head of its family. */
	readonly head: string;
}

/** Which of these sessions would be forked, and which would be left out, with the reason. */
export const planMoves = memoLast(
	(rows: ReadonlyMap<string, SessionRow>, live: LiveReport, wanted: readonly Move[]): MovePlan => {
		const families = familiesOf(rows);
		const heads = new Set(wanted.map(({ row }) => row.path));
		const moves: (Move & Shown)[] = [];
		const left: LeftOut[] = [];
		for (const move of wanted) {
			// It goes with its session.
			if (isRunOf(move.row, headOf(move.row, families), heads)) continue;
			const hindrance = hindranceOf(move, rows, live);
			if (hindrance !== undefined) left.push({ ...move, hindrance });
			else moves.push({ ...move, uses: guard("take", live, move.row).uses });
		}
		const runs = moves.flatMap(({ row: head, cwd }) =>
			takeable(
				runsBelow(head, families).filter((row) => isIn(row, head) && isSession(row)),
				live,
			).map((shown): RunMove => ({ ...shown, cwd, head: head.path })),
		);
		return { moves, left, runs };
	},
);

/** Whether a session is a run that is copied with the head of its family. */
function isRunOf(row: SessionRow, head: SessionRow, heads: ReadonlySet<string>): boolean {
	return head !== row && heads.has(head.path) && isIn(row, head);
}

/** Whether a run is in the directory of runs of a session, or below it: any other would be lost in a copy. */
function isIn(run: SessionRow, head: SessionRow): boolean {
	return run.path.startsWith(familyDirectory(head.path) + sep);
}

/** Why a session would not be forked; undefined if it would be. */
export function hindranceOf(
	move: Move,
	rows: ReadonlyMap<string, SessionRow>,
	live: LiveReport,
): Hindrance | undefined {
	const { row, cwd } = move;
	const why = whyNotASession(row);
	if (why !== undefined) return { kind: "no-session", why };
	if (isDestination(row, cwd)) return { kind: "same" };
	if (isForked(move, rows)) return { kind: "forked" };
	const verdict = guard("take", live, row);
	return verdict.decision === "refuse" ? { kind: "in-use", verdict } : undefined;
}

/** Whether the directory already has a fork of the session. */
function isForked({ row, cwd }: Move, rows: ReadonlyMap<string, SessionRow>): boolean {
	return (
		forksOf(rows)
			.get(row.path)
			?.some((fork) => isDestination(fork, cwd)) === true
	);
}

function isDestination(row: SessionRow, directory: string): boolean {
	return projectKey(row.cwd) === projectKey(directory);
}

/** The forks of each session, by its path. */
const forksOf = memoLast((rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<string, readonly SessionRow[]> => {
	const forks = rows.values().filter(({ parentSession = "" }) => parentSession !== "");
	return Map.groupBy(forks, ({ parentSession = "" }) => parentSession);
});

/** Why a session is left out, as a sentence; `now` in Unix ms. */
export function whyLeftOut(hindrance: Hindrance, now: number): string {
	switch (hindrance.kind) {
		case "same":
			return "it is a session of that directory";
		case "forked":
			return "a fork of it is there already";
		case "in-use":
			return whyNot(hindrance.verdict, now) ?? "";
		case "no-session":
			return `pi cannot open it. ${hindrance.why}`;
	}
}

/** Sessions of one directory that would be forked into another one. */
interface Route {
	readonly from: string;
	readonly to: string;
	readonly moves: readonly Move[];
}

/** The moves grouped by source and target directory, in the order of their first session. */
export function routesOf(moves: readonly Move[]): readonly Route[] {
	return [...Map.groupBy(moves, ({ row, cwd }) => `${row.cwd}\0${cwd}`).values()].flatMap((each) => {
		const [first] = each;
		return first === undefined ? [] : [{ from: first.row.cwd, to: first.cwd, moves: each }];
	});
}
