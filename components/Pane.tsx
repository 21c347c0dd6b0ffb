import { Box, Text } from "ink";
import { type ReactNode, useContext } from "react";
import { paintRows } from "../src/ui/theme/paint-line.ts";
import type { PaneView } from "../src/ui/view.ts";
import { ThemeContext } from "./theme.ts";

/** The rows of a pane: one text, because a component for each row takes longer than all else that a key does. */
export function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
	const theme = useContext(ThemeContext);
	const { x, y, width, height, rows, focused } = pane;
	return (
		<Box position="absolute" left={x} top={y} width={width} height={height} overflow="hidden">
			<Text>{paintRows(theme, rows.slice(0, height), width, focused)}</Text>
		</Box>
	);
}
