import { Box } from "ink";
import type { ReactNode } from "react";
import type { Line } from "../src/ui/text/line.ts";
import { joinEnds } from "../src/ui/text/width.ts";
import type { Size } from "../src/ui/view.ts";
import { TextLines } from "./TextLine.tsx";

/** A message over the last rows, from edge to edge, so that nothing below shows through. */
export function Message({ message, columns, rows }: Size & { readonly message: readonly Line[] }): ReactNode {
	return (
		<Box position="absolute" top={rows - message.length} width={columns}>
			<TextLines lines={message.map((line) => joinEnds(line, [], columns))} />
		</Box>
	);
}
