import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { API, WIDGET } from "./appliance.ts";

function Page() {
  const [task, setTask] = useState("");
  const [isInstalling, setInstalling] = useState(false);
  const showTask = ({ detail }: CustomEvent<{ taskId: string }>) => {
    setInstalling(false);
    setTask(detail.taskId);
  };
  return h(
    "main",
    null,
    h("h1", null, "React"),
    h("button", { type: "button", onClick: () => setInstalling(true) }, "Get Demo Media"),
    h("slip-widget", { api: API, ...WIDGET }),
    h("slip-activity", { api: API, "onslip-open-task": showTask }),
    task === "" ? null : h("slip-task", { api: API, task }),
    isInstalling
      ? h("slip-install", {
          api: API,
          app: "demo-media",
          "onslip-started": showTask,
          "onslip-closed": () => setInstalling(false),
        })
      : null,
  );
}

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(h(Page));
