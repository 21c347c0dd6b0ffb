import { Box } from "ink";
import type { ReactNode } from "react";
import type { Line } from "../src/ui/view.ts";
import { LineText } from "./LineText.tsx";

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
