import { createApp, defineComponent, h, ref } from "vue";
import { API, WIDGET } from "./appliance.ts";

const Page = defineComponent(() => {
  const task = ref("");
  const isInstalling = ref(false);
  const showTask = ({ detail }: CustomEvent<{ taskId: string }>) => {
    isInstalling.value = false;
    task.value = detail.taskId;
  };
  return () =>
    h("main", [
      h("h1", "Vue"),
      h("button", { type: "button", onClick: () => (isInstalling.value = true) }, "Get Demo Media"),
      h("slip-widget", { api: API, ...WIDGET }),
      h("slip-activity", { api: API, onSlipOpenTask: showTask }),
      task.value === "" ? null : h("slip-task", { api: API, task: task.value }),
      isInstalling.value
        ? h("slip-install", {
            api: API,
            app: "demo-media",
            onSlipStarted: showTask,
            onSlipClosed: () => (isInstalling.value = false),
          })
        : null,
    ]);
});

createApp(Page).mount("#root");
