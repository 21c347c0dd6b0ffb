import type { ReactNode } from "react";
import { span } from "../src/ui/text/line.ts";
import { wrapText } from "../src/ui/text/wrap.ts";
import type { Size } from "../src/ui/view.ts";
import { TextLines } from "./TextLine.tsx";

/** The size that is needed, in the longest form that fits; the shortest one is cut if even that does not fit. */
export function TooSmall({ columns, rows, smallest }: Size & { readonly smallest: Size }): ReactNode {
	const needed = `${smallest.columns}×${smallest.rows}`;
	const forms = [
		`pi-grove needs ${needed}, this is ${columns}×${rows}`,
		`pi-grove needs ${needed}`,
		`needs ${needed}`,
		needed,
	];
	const wrapped = forms.map((form) => wrapText(form, columns));
	const fitting = wrapped.find(({ length }) => length <= rows) ?? wrapped.at(-1) ?? [];
	return <TextLines lines={fitting.slice(0, rows).map((row) => [span(row, "warning")])} />;
}
