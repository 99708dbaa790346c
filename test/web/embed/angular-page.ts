import "@angular/compiler";
import { Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { API, WIDGET } from "./appliance.ts";

class Page {
  readonly widget = WIDGET;
  readonly task = signal("");
  readonly isInstalling = signal(false);

  showTask(event: Event): void {
    if (!(event instanceof CustomEvent)) return;
    this.isInstalling.set(false);
    this.task.set(event.detail.taskId);
  }
}

Component({
  selector: "#root",
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<main>
    <h1>Angular</h1>
    <button type="button" (click)="isInstalling.set(true)">Get Demo Media</button>
    <slip-widget api="${API}" [app]="widget.app" [widget]="widget.widget" [size]="widget.size"></slip-widget>
    <slip-activity api="${API}" (slip-open-task)="showTask($event)"></slip-activity>
    @if (task() !== "") { <slip-task api="${API}" [task]="task()"></slip-task> }
    @if (isInstalling()) {
      <slip-install api="${API}" app="demo-media" (slip-started)="showTask($event)" (slip-closed)="isInstalling.set(false)"></slip-install>
    }
  </main>`,
})(Page);

void bootstrapApplication(Page, { providers: [provideZonelessChangeDetection()] });
