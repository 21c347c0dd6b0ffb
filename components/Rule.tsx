import { Box } from "ink";
import type { ReactNode } from "react";
import type { RuleView } from "../src/ui/view.ts";
import { TextLine } from "./TextLine.tsx";

/** A rule with the title of the pane below it, or with the positions of the panes above it, on a screen of `columns`. */
export function Rule({ x, y, line, columns }: RuleView & { readonly columns: number }): ReactNode {
	return (
		<Box position="absolute" left={x} top={y} width={columns - x}>
			<TextLine line={line} />
		</Box>
	);
}
