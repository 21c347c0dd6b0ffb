import { Box, Text } from "ink";
import type { ReactNode } from "react";
import type { PromptView } from "../src/app/model/view.ts";

/** The text being edited, on an underlined field. */
export function Prompt({ prompt }: { readonly prompt: PromptView }): ReactNode {
	return (
		<Box height={1}>
			<Box position="absolute">
				<Text underline>{" ".repeat(prompt.fieldWidth)}</Text>
			</Box>
			<Text wrap="truncate" underline>
				{prompt.text}
			</Text>
		</Box>
	);
}
