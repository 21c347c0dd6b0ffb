import { formatCost, formatCounted } from "../../ui/text/format.ts";
import type { Line } from "../../ui/text/line.ts";
import { type LinePart, partForms } from "../../ui/text/width.ts";
import type { SessionSum } from "./session-sum.ts";

interface SumBeside {
	/** What it has cost with its runs, in dollars. @default what its own answers have cost */
	readonly cost: number | undefined;
	/** When it was last active: "3d ago". */
	readonly age: string;
}

/**
 * "3 turns · $0.93 · 1 branch left · 3d ago", the longest form first: the turns of the active path, and what all branches have cost. All
 * other numbers are in the digest and in the tree. A click on the branches opens their page.
 */
export function sumForms({ path, rest, branches }: SessionSum, { cost, age }: SumBeside): readonly Line[] {
	const dollars = cost ?? path.cost + rest.cost;
	const isUnpriced = path.unpriced + rest.unpriced > 0;
	const parts: LinePart[] = [{ text: formatCounted(path.turns, "turn"), rank: 0 }];
	if (dollars > 0) parts.push({ text: `${isUnpriced ? "≥" : ""}${formatCost(dollars)}`, rank: 1 });
	else if (isUnpriced) parts.push({ text: "unknown price", rank: 1 });
	if (branches > 1) {
		parts.push({ text: `${formatCounted(branches - 1, "branch", "branches")} left`, rank: 2, press: "branches" });
	}
	return partForms([...parts, { text: age, rank: 3 }]);
}
