import { Box, Text } from "ink";
import { type ReactNode, useContext } from "react";
import { paintText } from "../src/ui/theme/paint-line.ts";
import type { PromptView } from "../src/ui/view.ts";
import { ThemeContext } from "./theme.ts";

const UNDERLINED = { underline: true };

/** The text being edited, on an underlined field. */
export function Prompt({ prompt }: { readonly prompt: PromptView }): ReactNode {
	const theme = useContext(ThemeContext);
	return (
		<Box height={1}>
			<Box position="absolute">
				<Text>{paintText(theme, " ".repeat(prompt.fieldWidth), UNDERLINED)}</Text>
			</Box>
			<Text wrap="truncate">{paintText(theme, prompt.text, UNDERLINED)}</Text>
		</Box>
	);
}
