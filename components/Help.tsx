import { Box } from "ink";
import type { ReactNode } from "react";
import type { HelpView } from "../src/app/model/view.ts";
import { Row } from "./Row.tsx";

/** The rows of the help screen, in the height that its frame leaves above the hint. */
export function Help({ help }: { readonly help: HelpView }): ReactNode {
	return (
		<Box flexDirection="column" height={Math.max(0, help.height - 3)}>
			{help.rows.map((row) => (
				<Row key={row.key} row={row} width={help.width - 4} focused />
			))}
		</Box>
	);
}
