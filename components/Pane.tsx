import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../hooks/use-theme.ts";
import { paintRows } from "../src/ui/theme/theme.ts";
import type { PaneView } from "../src/ui/view.ts";

/** The rows of a pane as one text, which is faster than a component for each (docs/architecture.md, Components). */
export function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
	const { x, y, width, height, rows, focused } = pane;
	return (
		<Box position="absolute" left={x} top={y} width={width} height={height}>
			<Text>{paintRows(useTheme(), rows.slice(0, height), width, focused)}</Text>
		</Box>
	);
}
