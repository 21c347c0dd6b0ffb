import { Box, Text } from "ink";
import { createContext, type ReactNode, useContext } from "react";
import type { Line } from "../src/ui/text/line.ts";
import { createTheme, paintLine, type Theme } from "../src/ui/theme/theme.ts";

/** One row of text with its tones. Takes exactly one row, even if it is empty. */
export function LineText({ line }: { readonly line: Line }): ReactNode {
	const theme = useContext(ThemeContext);
	const painted = paintLine(theme, line);
	return <Text wrap="truncate">{painted === "" ? " " : painted}</Text>;
}

/** Rows of text, one below the other. */
export function Lines({ lines }: { readonly lines: readonly Line[] }): ReactNode {
	return (
		<Box flexDirection="column">
			{lines.map((line, index) => {
				// The rows are replaced as a whole, so the index of a row is its identity.
				const key = `${index}`;
				return <LineText key={key} line={line} />;
			})}
		</Box>
	);
}

/** The theme for all components below. */
export const ThemeContext = createContext<Theme>(createTheme({ depth: "16" }));
