import { render, Text } from "ink";

/** The least that any full-screen program with Ink does: one row of text. For bench/first-screen.ts. */
render(<Text>ready</Text>, { alternateScreen: true, interactive: true });
setInterval(() => undefined, 1000);
