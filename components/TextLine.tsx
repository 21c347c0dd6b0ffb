import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useTheme } from "../hooks/use-theme.ts";
import type { Line } from "../src/ui/text/line.ts";
import { paintLine } from "../src/ui/theme/theme.ts";

/** One row of text with its tones. Takes exactly one row, even if it is empty. */
export function TextLine({ line }: { readonly line: Line }): ReactNode {
	const painted = paintLine(useTheme(), line);
	return <Text wrap="truncate">{painted === "" ? " " : painted}</Text>;
}

export function TextLines({ lines }: { readonly lines: readonly Line[] }): ReactNode {
	return (
		<Box flexDirection="column">
			{lines.map((line, index) => {
				// The rows are replaced as a whole, so the index of a row is its identity.
				const key = `${index}`;
				return <TextLine key={key} line={line} />;
			})}
		</Box>
	);
}
