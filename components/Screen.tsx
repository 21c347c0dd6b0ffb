import { Box } from "ink";
import type { ReactNode } from "react";
import { useTerminalCursor } from "../hooks/use-terminal-cursor.ts";
import { screenRules } from "../src/ui/pane-title.ts";
import type { ScreenView } from "../src/ui/view.ts";
import { Divider } from "./Divider.tsx";
import { Footer } from "./Footer.tsx";
import { Header } from "./Header.tsx";
import { Message } from "./Message.tsx";
import { Overlay } from "./Overlay.tsx";
import { Pane } from "./Pane.tsx";
import { Rule } from "./Rule.tsx";
import { TooSmall } from "./TooSmall.tsx";

/** Everything on the screen; what comes later covers what is below it. */
export function Screen({ view }: { readonly view: ScreenView }): ReactNode {
	useTerminalCursor(view.cursor, view.selected);
	const { columns, rows, smallest, header, panes, footer, overlay, message } = view;
	const size = { columns, rows };
	if (smallest !== undefined) return <TooSmall {...size} smallest={smallest} />;
	return (
		<Box width={columns} height={rows}>
			<Header header={header} columns={columns} />
			{panes.map((pane) => (
				<Pane key={pane.id} pane={pane} />
			))}
			{panes.map((pane) => pane.x > 0 && <Divider key={pane.id} pane={pane} />)}
			{screenRules(view).map((rule) => (
				<Rule key={`${rule.x},${rule.y}`} {...rule} columns={columns} />
			))}
			<Footer footer={footer} {...size} />
			{overlay && <Overlay overlay={overlay} />}
			{message && <Message message={message} {...size} />}
		</Box>
	);
}
