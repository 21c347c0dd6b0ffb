import { Box } from "ink";
import type { ReactNode } from "react";
import type { Span } from "../src/ui/text/line.ts";
import { joinEnds } from "../src/ui/text/width.ts";
import type { ScreenView } from "../src/ui/view.ts";
import { TextLine } from "./TextLine.tsx";

/** The first row: a bar from edge to edge. */
export function Header({ header, columns }: Pick<ScreenView, "header" | "columns">): ReactNode {
	const bar = joinEnds(header, [], columns).map((part): Span => ({ ...part, ground: "bar" }));
	return (
		<Box position="absolute" width={columns}>
			<TextLine line={bar} />
		</Box>
	);
}
