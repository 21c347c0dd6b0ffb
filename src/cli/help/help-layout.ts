/** Words on rows of at most `columns`, each row after `indent` blanks. ASCII and a few signs only: a column a unit. */
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

/** What is typed, and what it does. */
export type Pair = readonly [left: string, right: string];

/** Blanks before a pair, and between its parts. */
const GAP = 2;
/** What is wider than this has a row of its own, so that the others do not stand far to the right. */
const WIDEST = 30;

/** The width of the left parts of a list; several lists of one page share the widest. */
export function leftWidth(pairs: readonly Pair[]): number {
	return Math.max(0, ...pairs.map(([left]) => left.length).filter((width) => width <= WIDEST));
}

/** Pairs in two columns; what does not fit on the right goes on below it. */
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
