import { Text } from "ink";
import { type ReactNode, useContext } from "react";
import { paintLine } from "../src/ui/theme/paint-line.ts";
import type { Line } from "../src/ui/view.ts";
import { ThemeContext } from "./theme.ts";

/** One row of text with its tones. It takes one row even when it is empty, and never more than one. */
export function LineText({ line }: { readonly line: Line }): ReactNode {
	const theme = useContext(ThemeContext);
	const painted = paintLine(theme, line);
	return <Text wrap="truncate">{painted === "" ? " " : painted}</Text>;
}
