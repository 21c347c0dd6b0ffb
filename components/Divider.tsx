import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../hooks/use-theme.ts";
import { paintText } from "../src/ui/theme/theme.ts";
import type { Box as BoxOnScreen } from "../src/ui/view.ts";

/** The line between a pane and the one left of it. */
export function Divider({ pane: { x, y, height } }: { readonly pane: BoxOnScreen }): ReactNode {
	const line = Array.from({ length: height }, () => "│").join("\n");
	return (
		<Box position="absolute" left={x - 1} top={y} width={1} height={height}>
			<Text>{paintText(useTheme(), line, { tone: "frame" })}</Text>
		</Box>
	);
}
