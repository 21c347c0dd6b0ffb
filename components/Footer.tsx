import { Box } from "ink";
import type { ReactNode } from "react";
import type { ScreenView } from "../src/ui/view.ts";
import { TextLine } from "./TextLine.tsx";

/** The last row: the keys that work now. */
export function Footer({ footer, columns, rows }: Pick<ScreenView, "footer" | "columns" | "rows">): ReactNode {
	return (
		<Box position="absolute" top={rows - 1} width={columns}>
			<TextLine line={footer} />
		</Box>
	);
}
