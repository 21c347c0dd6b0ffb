import { Text } from "ink";
import { type ReactNode, useContext } from "react";
import type { Line } from "../src/app/model/view.ts";
import { spanStyle, ThemeContext } from "./theme.ts";

interface LineTextProps {
	readonly line: Line;
	/** Drawn in inverse, as the row under the cursor is. Default: false. */
	readonly inverted?: boolean;
	/** Drawn in bold. Default: false. */
	readonly bold?: boolean;
}

/** One row of text with its tones. It takes one row even when it is empty, and never more than one. */
export function LineText({ line, inverted = false, bold = false }: LineTextProps): ReactNode {
	const theme = useContext(ThemeContext);
	if (line.every((span) => span.text === "")) return <Text> </Text>;
	return (
		<Text wrap="truncate" inverse={inverted} bold={bold}>
			{line.map((span, index) => {
				const style = spanStyle(theme, span, inverted);
				// A line is replaced as a whole, so the index of a span is its identity.
				const key = `${index}`;
				return (
					<Text key={key} {...style}>
						{span.text}
					</Text>
				);
			})}
		</Text>
	);
}
