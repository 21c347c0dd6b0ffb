/** Wraps words into rows of at most `columns`, indented by `indent`. Only for texts in which every UTF-16 unit takes one column. */
export function wrapWords(text: string, columns: number, indent = 0): string {
	const blanks = " ".repeat(indent);
	const rows: string[] = [];
	let row = "";
	for (const word of text.split(" ")) {
		if (row !== "" && indent + row.length + 1 + word.length > columns) {
			rows.push(row);
			row = "";
		}
		row = row === "" ? word : `${row} ${word}`;
	}
	return [...rows, row].map((one) => `${blanks}${one}\n`).join("");
}

/** What is typed, and what it means. */
export type Pair = readonly [left: string, right: string];

/** Blanks before a pair, and between its parts. */
export const GAP = 2;
/** A wider left part gets a row of its own, so that it does not push the right column far out. */
const WIDEST = 30;

/** The width of the left column; the lists of a page share the widest. */
export function leftWidth(pairs: readonly Pair[]): number {
	return Math.max(0, ...pairs.map(([left]) => left.length).filter((width) => width <= WIDEST));
}

/** Pairs in two columns; the right one is wrapped. */
export function pairRows(pairs: readonly Pair[], columns: number, width = leftWidth(pairs)): string {
	const at = GAP + width + GAP;
	return pairs
		.map(([left, right]) => {
			if (right === "") return `${" ".repeat(GAP)}${left}\n`;
			const rows = wrapWords(right, columns, at);
			const head = `${" ".repeat(GAP)}${left.padEnd(width + GAP)}`;
			return left.length > width ? `${head.trimEnd()}\n${rows}` : `${head}${rows.slice(at)}`;
		})
		.join("");
}
