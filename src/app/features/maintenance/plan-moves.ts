import { resolve } from "node:path";
import type { LiveReport } from "../../../catalog/model/live.ts";
import { type SessionRow, whyNotASession } from "../../../catalog/model/row.ts";
import { guard, type Shown, type Verdict } from "../../../changes/guard/guard.ts";
import { whyNot } from "../../../changes/guard/guard-words.ts";
import { memoLast } from "../../../shared/memo.ts";
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
}

/** Which of these sessions would be forked, and which would be left out, with the reason. */
export const planMoves = memoLast(
	(rows: ReadonlyMap<string, SessionRow>, live: LiveReport, wanted: readonly Move[]): MovePlan => {
		const moves: (Move & Shown)[] = [];
		const left: LeftOut[] = [];
		for (const move of wanted) {
			const hindrance = hindranceOf(move, rows, live);
			if (hindrance !== undefined) left.push({ ...move, hindrance });
			else moves.push({ ...move, uses: guard("take", live, move.row).uses });
		}
		return { moves, left };
	},
);

/** Why a session would not be forked; undefined if it would be. */
export function hindranceOf(
	move: Move,
	rows: ReadonlyMap<string, SessionRow>,
	live: LiveReport,
): Hindrance | undefined {
	const { row, cwd } = move;
	const why = whyNotASession(row);
	if (why !== undefined) return { kind: "no-session", why };
	if (isPlace(row, cwd)) return { kind: "same" };
	if (isForked(move, rows)) return { kind: "forked" };
	const verdict = guard("take", live, row);
	return verdict.decision === "refuse" ? { kind: "in-use", verdict } : undefined;
}

/** Whether the directory already has a fork of the session. */
function isForked({ row, cwd }: Move, rows: ReadonlyMap<string, SessionRow>): boolean {
	return (
		forksOf(rows)
			.get(row.path)
			?.some((fork) => isPlace(fork, cwd)) === true
	);
}

/** Matches a path that is not normalized. */
const IS_UNTIDY = /\/\.|\/\/|.\/$/;

function isPlace(row: SessionRow, directory: string): boolean {
	return row.cwd === directory || (IS_UNTIDY.test(row.cwd) && resolve("/", row.cwd) === directory);
}

/** The forks of each session, by its path. */
const forksOf = memoLast((rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<string, readonly SessionRow[]> => {
	const forks = new Map<string, SessionRow[]>();
	for (const row of rows.values()) {
		if (row.parentSession === undefined || row.parentSession === "") continue;
		const known = forks.get(row.parentSession);
		if (known === undefined) forks.set(row.parentSession, [row]);
		else known.push(row);
	}
	return forks;
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
